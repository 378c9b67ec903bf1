import type { FastifyInstance } from 'fastify'
import { html } from '../html.ts'
import { sendPage } from '../http/layout.ts'
import { visitOf } from '../http/visit.ts'
import { CATEGORIES } from '../store/notice.ts'
import { categoryMark, noticeList } from './parts.ts'
import type { Site } from './site.ts'

const LATEST = 5

/** The front page. */
export function addHome(app: FastifyInstance, { store }: Site): void {
  app.get('/', async (request, reply) => {
    const visit = visitOf(request)
    const { home } = visit.text
    return await sendPage(request, reply, {
      title: home.title,
      main: html`<section class="hero">
          <h1>${home.title}</h1>
          <p class="lead">${home.lead}</p>
          <p class="actions">
            <a class="button" href="${visit.link('/notices')}">${home.read}</a>
            <a class="button quiet" href="${visit.link('/notices/new')}">${home.post}</a>
          </p>
        </section>
        <div class="columns">
          <section aria-labelledby="latest">
            <h2 id="latest">${home.latest}</h2>
            ${noticeList(visit, store.board.list().slice(0, LATEST))}
          </section>
          <section class="aside" aria-labelledby="by-category">
            <h2 id="by-category">${home.byCategory}</h2>
            <ul class="plain">
              ${CATEGORIES.map(
                (category) =>
                  html`<li>
                    <a href="${visit.link(`/notices?category=${category}`)}"
                      >${categoryMark(visit, category)}</a
                    >
                  </li>`,
              )}
            </ul>
          </section>
        </div>`,
    })
  })
}
