import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { html } from '../html.ts'
import { en } from '../text/en.ts'
import { sendPage } from './layout.ts'
import { SiteError } from './site-error.ts'
import { type Visit, visitOf } from './visit.ts'

/** Where the site writes what its owner should know. */
export type SiteLog = (message: string, details?: Record<string, unknown>) => void

/** The body of every failed JSON call. */
export function errorBody(code: string, message: string, fields?: Record<string, string>): object {
  return { error: { code, message, ...(fields ? { fields } : {}) } }
}

function classify(error: unknown): SiteError {
  if (error instanceof SiteError) return error
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  if (status === 413) return new SiteError(413, 'too_large')
  if (status === 415 || status === 406) return new SiteError(415, 'unsupported')
  if (status >= 400 && status < 500) return new SiteError(400, 'malformed')
  return new SiteError(500, 'failed')
}

function fieldsOf(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.map((issue) => [issue.path.join('.') || '(all)', issue.message]))
}

async function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: SiteError,
): Promise<FastifyReply> {
  const visit: Visit = visitOf(request)
  if (error.code === 'maintenance') void reply.header('retry-after', '120')
  if (visit.isApi) return await reply.code(error.status).send(errorBody(error.code, en.errors[error.code]))
  const { errors } = visit.text
  return await sendPage(request, reply, {
    title: errors.title,
    status: error.status,
    main: html`<section class="narrow">
      <h1>${errors.title}</h1>
      <p role="alert" data-testid="site-error" data-code="${error.code}">${errors[error.code]}</p>
      <p><a href="${visit.link('/')}">${errors.home}</a></p>
    </section>`,
  })
}

/** One place for every failure: nothing reaches a visitor but its code and sentence. */
export function addErrors(app: FastifyInstance, log: SiteLog): void {
  app.setErrorHandler<FastifyError>(async (error, request, reply) => {
    if (error instanceof z.ZodError) {
      const body = errorBody('invalid', 'Some of it is not right.', fieldsOf(error))
      return await reply.code(422).send(body)
    }
    const known = classify(error)
    if (known !== error && known.status >= 500)
      log('request failed', { url: request.url, error: String(error.stack) })
    return await sendError(request, reply, known)
  })
  app.setNotFoundHandler(
    async (request, reply) => await sendError(request, reply, new SiteError(404, 'not_found')),
  )
}
