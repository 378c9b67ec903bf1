import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type Html, html } from '../html.ts'
import { sendPage } from '../http/layout.ts'
import { type Visit, visitOf } from '../http/visit.ts'
import { categorySchema } from '../store/notice.ts'
import { categoryOptions, noticeList } from './parts.ts'
import type { Site } from './site.ts'

const PAGE_SIZE = 8

// A reader's address bar: what makes no sense is left out rather than refused.
const querySchema = z.object({
  q: z.string().max(200).catch(''),
  category: categorySchema.optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
})
type Query = z.infer<typeof querySchema>

function address(visit: Visit, query: Query, page: number): string {
  const words = new URLSearchParams()
  if (query.q) words.set('q', query.q)
  if (query.category) words.set('category', query.category)
  if (page > 1) words.set('page', String(page))
  const text = words.toString()
  return visit.link('/notices') + (text === '' ? '' : `?${text}`)
}

function searchForm(visit: Visit, query: Query): Html {
  const { notices } = visit.text
  return html`<form
    class="search"
    role="search"
    action="${visit.link('/notices')}"
    aria-label="${notices.search}"
  >
    <div class="field">
      <label for="q">${notices.query}</label>
      <input id="q" name="q" type="search" value="${query.q}" maxlength="200" dir="auto" />
    </div>
    <div class="field">
      <label for="category">${notices.category}</label>
      <select id="category" name="category">
        <option value="">${notices.anyCategory}</option>
        ${categoryOptions(visit, query.category)}
      </select>
    </div>
    <button type="submit" class="quiet">${notices.submit}</button>
  </form>`
}

function pager(visit: Visit, query: Query, pages: number): Html {
  const { notices } = visit.text
  const digits = (value: number): string => value.toLocaleString(visit.locale)
  const { page } = query
  return html`<nav class="pager" aria-label="${notices.pages}">
    ${page > 1 && html`<a class="button quiet" rel="prev" href="${address(visit, query, page - 1)}">${notices.previous}</a>`}
    <span data-testid="page-position">${notices.page(digits(page), digits(pages))}</span>
    ${page < pages && html`<a class="button quiet" rel="next" href="${address(visit, query, page + 1)}">${notices.next}</a>`}
  </nav>`
}

/** The list of notices with its search. */
export function addNotices(app: FastifyInstance, { store }: Site): void {
  app.get('/notices', async (request, reply) => {
    const visit = visitOf(request)
    const { notices: text } = visit.text
    const asked = querySchema.parse(request.query)
    const found = store.board.list({ text: asked.q, category: asked.category })
    const pages = Math.max(1, Math.ceil(found.length / PAGE_SIZE))
    const query = { ...asked, page: Math.min(asked.page, pages) }
    const shown = found.slice((query.page - 1) * PAGE_SIZE, query.page * PAGE_SIZE)
    return await sendPage(request, reply, {
      title: text.title,
      main: html`<div class="heading">
          <h1>${text.title}</h1>
          <p class="actions">
            <a class="button" href="${visit.link('/notices/new')}">${text.post}</a>
            <a class="button quiet" href="/files/report.csv" download="report.csv">${text.download}</a>
          </p>
        </div>
        ${searchForm(visit, query)}
        <p class="count" role="status" data-testid="notice-count" data-count="${found.length}">
          ${text.count(found.length)}
        </p>
        ${shown.length > 0 ? noticeList(visit, shown) : html`<p class="empty">${text.none}</p>`}
        ${pages > 1 && pager(visit, query, pages)}`,
    })
  })
}
