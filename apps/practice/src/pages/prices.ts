import type { FastifyInstance } from 'fastify'
import { html } from '../html.ts'
import { sendPage } from '../http/layout.ts'
import { visitOf } from '../http/visit.ts'

/** Length in metres, then the price in euros for a day, a week, a month and a year. */
const PRICES: readonly (readonly [number, number, number, number, number])[] = [
  [5, 9.5, 57, 171, 890],
  [6, 11, 66, 198, 1040],
  [7, 13, 78, 234, 1230],
  [8, 15.5, 93, 279, 1480],
  [9, 18, 108, 324, 1720],
  [10, 21, 126, 378, 2010],
  [12, 27.5, 165, 495, 2650],
  [15, 38, 228, 684, 3690],
]

/** A plain table of prices. */
export function addPrices(app: FastifyInstance): void {
  app.get('/prices', async (request, reply) => {
    const visit = visitOf(request)
    const { prices } = visit.text
    const euros = new Intl.NumberFormat(visit.locale, { style: 'currency', currency: 'EUR' })
    const columns = [prices.length, prices.day, prices.week, prices.month, prices.year]
    return await sendPage(request, reply, {
      title: prices.title,
      main: html`<h1>${prices.title}</h1>
        <p class="lead">${prices.lead}</p>
        <div class="scroll" role="region" aria-labelledby="price-caption" tabindex="0">
          <table data-testid="price-table">
            <caption id="price-caption">
              ${prices.caption}
            </caption>
            <thead>
              <tr>
                ${columns.map((name) => html`<th scope="col">${name}</th>`)}
              </tr>
            </thead>
            <tbody>
              ${PRICES.map(
                ([length, ...amounts]) =>
                  html`<tr>
                    <th scope="row">${prices.metres(length.toLocaleString(visit.locale))}</th>
                    ${amounts.map((amount) => html`<td>${euros.format(amount)}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`,
    })
  })
}
