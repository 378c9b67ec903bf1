import { Agent, request } from 'node:http'
import { setPriority } from 'node:os'
import { z } from 'zod'

/**
 * A crowd at the sign-in, as a process of its own: so many addresses of this machine, each with its own connection, try
 * one name after the other with a wrong password. Says at the end how often each answer came.
 */
const order = z.object({
  port: z.number(),
  addresses: z.number(),
  each: z.number(),
  names: z.array(z.string()).min(1),
})

// The crowd stands for other machines: what the server wants of this one goes first.
setPriority(19)

/** An address of the loopback network that nothing else here uses. */
export const addressOf = (n: number) => `127.1.${Math.floor(n / 250)}.${(n % 250) + 1}`

/** One try to sign in, from one of this machine's addresses. Gives the status and the code of the answer. */
export function trySignIn(
  port: number,
  localAddress: string,
  input: { username: string; password: string },
  agent?: Agent,
): Promise<{ status: number; code: string; seconds: number }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port,
        localAddress,
        path: '/api-user/api/v1/auth/login',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        ...(agent ? { agent } : {}),
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            code: /"code":"([\w.]+)"/.exec(text)?.[1] ?? '',
            seconds: Number(response.headers['retry-after'] ?? 0),
          }),
        )
      },
    )
    call.on('error', reject)
    call.end(JSON.stringify(input))
  })
}

async function flood({ port, addresses, each, names }: z.infer<typeof order>) {
  const answers: Record<string, number> = {}
  await Promise.all(
    Array.from({ length: addresses }, async (_, place) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (let n = 0; n < each; n += 1) {
        const username = names[(place + n) % names.length] ?? ''
        const { status, code } = await trySignIn(
          port,
          addressOf(place),
          { username, password: `wrong ${n}` },
          agent,
        )
        const key = `${status} ${code}`
        answers[key] = (answers[key] ?? 0) + 1
      }
      agent.destroy()
    }),
  )
  return answers
}

if (import.meta.main) {
  process.once('message', (message) => {
    void flood(order.parse(message)).then((answers) => process.send?.(answers, () => process.disconnect()))
  })
}
