import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CookieOptions, Exchange } from './context.ts'

/** The HTTP exchange as handlers may use it. */
export function exchangeOf(request: FastifyRequest, reply: FastifyReply): Exchange {
  return {
    cookie: (name) => request.cookies[name],
    header: (name) => request.headers[name.toLowerCase()]?.toString(),
    setCookie: (name, value, options) => void reply.setCookie(name, value, cookie(options)),
    clearCookie: (name, options) => void reply.clearCookie(name, cookie(options)),
    setHeader: (name, value) => void reply.header(name, value),
  }
}

function cookie({ maxAgeSeconds, ...options }: CookieOptions) {
  return { ...options, ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }) }
}
