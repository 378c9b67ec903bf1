import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A token that a browser's part of the bot check would have been given. */
export interface IssuedToken {
  action: string
  hostname: string
  score: number
}

/** A verify server on this machine, which follows the published contract of reCAPTCHA v3. */
export interface TestVerifyServer extends AsyncDisposable {
  url: string
  /** What it was asked, as forms. */
  asked: URLSearchParams[]
  /** Gives a token, good once. */
  issue(token: IssuedToken): string
  /** While set, it answers with this status and nothing of use. */
  failWith: number | undefined
}

/** Starts a verify server that knows one secret. */
export async function testVerifyServer(secret: string): Promise<TestVerifyServer> {
  const issued = new Map<string, IssuedToken>()
  const asked: URLSearchParams[] = []
  const answer = (form: URLSearchParams): object => {
    const token = form.get('response') ?? ''
    const known = issued.get(token)
    issued.delete(token)
    const wrong = form.get('secret') === secret ? 'timeout-or-duplicate' : 'invalid-input-secret'
    if (!known || form.get('secret') !== secret) return { success: false, 'error-codes': [wrong] }
    return { success: true, challenge_ts: new Date().toISOString(), ...known }
  }
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const form = new URLSearchParams(await text(request))
    asked.push(form)
    response.writeHead(verify.failWith ?? 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(form)))
  }
  const server = createServer()
  server.on('request', (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the verify server has no port')
  const verify: TestVerifyServer = {
    url: `http://127.0.0.1:${address.port}/siteverify`,
    asked,
    failWith: undefined,
    issue(token) {
      const name = `token-${issued.size}-${Math.random()}`
      issued.set(name, token)
      return name
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return verify
}
