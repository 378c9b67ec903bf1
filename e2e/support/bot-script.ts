import { once } from 'node:events'
import { createServer } from 'node:http'

/** A server on this machine that gives browsers the script of the bot check and, to that script, tokens. */
export interface BotScriptServer extends AsyncDisposable {
  url: string
  /** The site keys with which the script was loaded. */
  rendered: string[]
}

/** What the published contract of the script says, as far as the console uses it. */
const SCRIPT = (origin: string) => `globalThis.grecaptcha = {
  ready: (then) => setTimeout(then, 0),
  execute: async (key, { action }) =>
    (await fetch('${origin}/token?' + new URLSearchParams({ key, action }))).text(),
}`

/** Starts it; `issue` makes the token for an action. */
export async function botScriptServer(issue: (action: string) => string): Promise<BotScriptServer> {
  const rendered: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', bot.url)
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('cross-origin-resource-policy', 'cross-origin')
    if (url.pathname === '/token') return response.end(issue(url.searchParams.get('action') ?? ''))
    rendered.push(url.searchParams.get('render') ?? '')
    response.setHeader('content-type', 'text/javascript')
    return response.end(SCRIPT(url.origin))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the script server has no port')
  const bot: BotScriptServer = {
    url: `http://127.0.0.1:${address.port}/api.js`,
    rendered,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return bot
}
