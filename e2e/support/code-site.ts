import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site that asks for a password and then for a code, as sites do that a program shall not sign in to. */
export interface CodeSite {
  url: string
  host: string
  stop: () => Promise<void>
}

/** What its one member types. */
export const MEMBER = { name: 'mira', password: 'only-mira-knows-52', code: '730518' }

const STYLE = `<style>body{font:20px system-ui;margin:0;background:#eef3f8}form,h1{position:absolute;left:80px;margin:0}
  h1{top:40px}input,button{position:absolute;left:0;width:320px;height:48px;font:inherit;box-sizing:border-box}</style>`
const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><title>${title}</title>${STYLE}<h1>${title}</h1>${body}`
const field = (name: string, top: number, type = 'text') =>
  `<input name="${name}" type="${type}" aria-label="${name}" style="top:${top}px">`

/** Starts it on loopback. */
export async function codeSite(): Promise<CodeSite> {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (request.headers.cookie?.includes('member=')) response.end(page(`Hello ${MEMBER.name}`, ''))
    else if (request.url === '/code' && body.get('code') === MEMBER.code) {
      response.setHeader('set-cookie', 'member=1; Path=/; HttpOnly; Max-Age=5184000')
      response.writeHead(303, { location: '/' }).end()
    } else if (request.url === '/password' && body.get('password') === MEMBER.password)
      response.end(
        page('Your code', `<form method="post" action="/code" style="top:120px">${field('code', 0)}</form>`),
      )
    else
      response.end(
        page(
          'Members',
          `<form method="post" action="/password" style="top:120px">${field('name', 0)}${field('password', 80, 'password')}
            <button style="top:160px">Go on</button></form><input type="file" aria-label="picture" style="left:80px;top:400px">`,
        ),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    host: `127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
