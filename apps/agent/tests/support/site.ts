import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A little site of a test, and everything that it was asked for. */
export interface TestSite {
  url: string
  host: string
  asked: string[]
  stop: () => Promise<void>
}

/** Starts a site on loopback. */
export async function startSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<TestSite> {
  const asked: string[] = []
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  })
  server.on('upgrade', (request, socket) => {
    asked.push(`upgrade ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    asked,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Answers with a page. */
export function sendHtml(response: ServerResponse, body: string): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><title>Page</title>${body}`)
}
