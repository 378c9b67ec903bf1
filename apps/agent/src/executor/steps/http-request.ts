import { StepError } from '@weft/workflow/errors'
import type { ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import { jsonSchema } from '@weft/workflow/document'
import type { Json } from '@weft/workflow/json'
import { fetchThroughGate, readAll } from '../fetch.ts'
import type { Step } from './step.ts'

const MAX_ANSWER_BYTES = 5 * 1024 * 1024

/** Calls an address without the browser, within the same limits. */
export const httpRequest: Step<'http-request'> = async ({ gate, limits }, input, { time }) => {
  const url = URL.parse(input.url)
  if (url) for (const [name, value] of Object.entries(input.query ?? {})) url.searchParams.append(name, value)
  const { body, type } = bodyOf(input)
  const answer = await fetchThroughGate({
    url: url?.href ?? input.url,
    method: input.method,
    headers: { ...(type === null ? {} : { 'content-type': type }), ...input.headers },
    body,
    gateUrl: gate.url,
    limits,
    signal: time.signal,
  })
  const bytes = await readAll(answer.body, MAX_ANSWER_BYTES)
  const { status, headers } = answer
  if (input.expect === 'success' && status >= 400)
    throw new StepError('HttpError', `${input.method} ${answer.url} answered with status ${status}.`, {
      params: { status },
      // What the server refused it has not done.
      ...(status < 500 ? { effect: 'none' as const, retryable: false } : {}),
    })
  return { status, headers, body: parsed(bytes, headers['content-type'] ?? '') }
}

function bodyOf(input: ResolvedInput<'http-request'>): { body: Uint8Array | null; type: string | null } {
  switch (input.bodyType) {
    case 'none':
      return { body: null, type: null }
    case 'json':
      return { body: Buffer.from(JSON.stringify(input.bodyJson ?? null)), type: 'application/json' }
    case 'form':
      return {
        body: Buffer.from(new URLSearchParams(input.bodyForm ?? {}).toString()),
        type: 'application/x-www-form-urlencoded',
      }
    default:
      return { body: Buffer.from(input.bodyText ?? ''), type: 'text/plain; charset=utf-8' }
  }
}

function parsed(bytes: Buffer, type: string): Json {
  const text = bytes.toString('utf8')
  if (!/[/+]json\b/i.test(type)) return text
  try {
    return jsonSchema.parse(JSON.parse(text))
  } catch {
    // It says that it is JSON and is not: whoever reads it sees what it was.
    return text
  }
}
