import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { Html, html } from '../html.ts'
import { waitMs } from '../http/faults.ts'
import { layout } from '../http/layout.ts'
import { visitOf } from '../http/visit.ts'
import type { Site } from './site.ts'

const BOATS: readonly (readonly [boat: string, berth: string])[] = [
  ['Marguerite', 'B4'],
  ['Three Herrings', 'A11'],
  ['Noor', 'C2'],
  ['Petit Vent', 'A7'],
  ['Skua', 'C9'],
  ['Lady of the Ledge', 'B12'],
]

/** Where the rows go; text on a page is escaped and can never look like it. */
const ROWS = new Html('<!-- boats -->')

const querySchema = z.object({ every: z.coerce.number().int().min(0).max(5000).catch(500) })

async function* stream(
  parts: { head: string; rows: Html[]; tail: string },
  everyMs: number,
  closing: AbortSignal,
): AsyncGenerator<string> {
  yield parts.head
  for (const row of parts.rows) {
    await waitMs(everyMs, closing)
    yield row.markup
  }
  await waitMs(everyMs, closing)
  yield parts.tail
}

/**
 * A page that arrives piece by piece: its rows, and the sentence at the end, appear while the browser is still
 * loading, without a script. `?every=` sets the milliseconds between them.
 */
export function addArrivals(app: FastifyInstance, { closing }: Site): void {
  app.get('/arrivals', async (request, reply) => {
    const visit = visitOf(request)
    const { arrivals } = visit.text
    const { every } = querySchema.parse(request.query)
    const done = html`<p role="status" class="note" data-testid="arrivals-done">${arrivals.done}</p>`
    const document = layout(request, {
      title: arrivals.title,
      main: html`<section class="narrow">
        <h1>${arrivals.title}</h1>
        <p class="lead">${arrivals.lead}</p>
        <h2 id="boats">${arrivals.list}</h2>
        <ol class="boats" aria-labelledby="boats" data-testid="arrivals">
          ${ROWS}
        </ol>
        ${done}
      </section>`,
    }).markup
    const [head = '', tail = ''] = document.split(ROWS.markup)
    const rows = BOATS.map(
      ([boat, berth]) =>
        html`<li data-testid="arrival">
          <bdi>${boat}</bdi> <span class="muted">${arrivals.berth(berth)}</span>
        </li>`,
    )
    return await reply
      .type('text/html; charset=utf-8')
      .send(Readable.from(stream({ head, rows, tail }, every, closing)))
  })
}
