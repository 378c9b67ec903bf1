import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../html.ts'
import { sendPage } from '../http/layout.ts'
import { recordOf, type Visit, visitOf } from '../http/visit.ts'
import { parseNumber } from '../store/notice.ts'
import type { Site } from './site.ts'

function table(at: { id: string; caption: string; columns: string[]; rows: string[][] }): Html {
  return html`<div class="scroll" role="region" aria-labelledby="${at.id}-caption" tabindex="0">
    <table data-testid="${at.id}">
      <caption id="${at.id}-caption">
        ${at.caption}
      </caption>
      <thead>
        <tr>
          ${at.columns.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${at.rows.map(
          ([first, ...rest]) =>
            html`<tr>
              <th scope="row">${first}</th>
              ${rest.map((cell) => html`<td><bdi>${cell}</bdi></td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function newTab(visit: Visit, page: string, name: string): Html {
  return html`<li>
    <a href="${visit.link(page)}" target="_blank" rel="noopener"
      >${name} <span class="muted">${visit.text.useful.newTab}</span></a
    >
  </li>`
}

/** Pages that open in new tabs, and a form that does. */
export function addUseful(app: FastifyInstance, { store }: Site): void {
  app.get('/useful', async (request, reply) => {
    const visit = visitOf(request)
    const { useful } = visit.text
    return await sendPage(request, reply, {
      title: useful.title,
      main: html`<section class="narrow">
        <h1>${useful.title}</h1>
        <p class="lead">${useful.lead}</p>
        <ul class="doors">
          ${newTab(visit, '/useful/tides', useful.tides)} ${newTab(visit, '/useful/hours', useful.hours)}
        </ul>
        <h2>${useful.lookUp}</h2>
        <form class="search" action="${visit.link('/useful/look-up')}" target="_blank">
          <div class="field">
            <label for="number">${visit.text.notice.number}</label>
            <input
              id="number"
              name="number"
              dir="ltr"
              required
              maxlength="20"
              aria-describedby="number-help"
            />
            <p class="help" id="number-help">${useful.lookUpHelp}</p>
          </div>
          <button type="submit" class="quiet">${useful.lookUpSubmit}</button>
        </form>
      </section>`,
    })
  })

  app.get('/useful/tides', async (request, reply) => {
    const visit = visitOf(request)
    const { useful } = visit.text
    const metres = new Intl.NumberFormat(visit.locale, {
      style: 'unit',
      unit: 'meter',
      minimumFractionDigits: 1,
    })
    const tides: [string, string, number][] = [
      [useful.low, '00:48', 0.9],
      [useful.high, '07:02', 4.6],
      [useful.low, '13:11', 1.1],
      [useful.high, '19:24', 4.8],
    ]
    return await sendPage(request, reply, {
      title: useful.tides,
      main: html`<section class="narrow">
        <h1>${useful.tides}</h1>
        ${table({
          id: 'tide-table',
          caption: useful.tidesCaption,
          columns: [useful.tides, useful.time, useful.height],
          rows: tides.map(([name, time, height]) => [name, time, metres.format(height)]),
        })}
        <p>${useful.close}</p>
      </section>`,
    })
  })

  app.get('/useful/hours', async (request, reply) => {
    const { useful } = visitOf(request).text
    return await sendPage(request, reply, {
      title: useful.hours,
      main: html`<section class="narrow">
        <h1>${useful.hours}</h1>
        ${table({
          id: 'hours-table',
          caption: useful.hoursCaption,
          columns: [useful.where, useful.open],
          rows: [
            [useful.office, '08:00–18:00'],
            [useful.fuel, '07:00–20:00'],
            [useful.crane, '09:00–16:00'],
          ],
        })}
        <p>${useful.close}</p>
      </section>`,
    })
  })

  app.get('/useful/look-up', async (request, reply) => {
    const visit = visitOf(request)
    const { useful } = visit.text
    const { number } = recordOf(request.query)
    const found = parseNumber(typeof number === 'string' ? number.trim() : '')
    if (found !== null && store.board.get(found)) {
      return await reply.redirect(visit.link(`/notices/${found}`), 303)
    }
    return await sendPage(request, reply, {
      title: useful.lookUp,
      status: 404,
      main: html`<section class="narrow">
        <h1>${useful.lookUp}</h1>
        <p role="alert" class="alert">${useful.lookUpWrong}</p>
        <p><a href="${visit.link('/useful')}">${useful.title}</a></p>
      </section>`,
    })
  })
}
