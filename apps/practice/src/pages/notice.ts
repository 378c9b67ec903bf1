import type { FastifyInstance } from 'fastify'
import { type Html, html } from '../html.ts'
import { formatDate, sendPage, testId } from '../http/layout.ts'
import { SiteError } from '../http/site-error.ts'
import { recordOf, type Visit, visitOf } from '../http/visit.ts'
import { formatNumber, type Notice, parseNumber } from '../store/notice.ts'
import { categoryMark } from './parts.ts'
import type { Site } from './site.ts'

function postedBanner(visit: Visit, notice: Notice): Html {
  const { notice: text } = visit.text
  const told = visit.wrongNumber ? notice.number + 1 : notice.number
  return html`<div class="note posted" data-testid="${testId(visit, 'notice-posted')}">
    <p>${text.posted}</p>
    <p>
      ${text.yourNumber}
      <output aria-label="${text.number}" data-testid="${testId(visit, 'notice-number')}" dir="ltr"
        >${formatNumber(told)}</output
      >
    </p>
  </div>`
}

function details(visit: Visit, notice: Notice): Html {
  const { notice: text } = visit.text
  return html`<section class="aside" aria-labelledby="details">
    <h2 id="details">${text.details}</h2>
    <dl>
      <dt>${text.number}</dt>
      <dd data-testid="detail-number"><bdi>${formatNumber(notice.number)}</bdi></dd>
      <dt>${text.category}</dt>
      <dd>${categoryMark(visit, notice.category)}</dd>
      <dt>${text.author}</dt>
      <dd data-testid="detail-author"><bdi>${notice.author}</bdi></dd>
      <dt>${text.postedAt}</dt>
      <dd><time datetime="${notice.postedAt}">${formatDate(visit, notice.postedAt, 'time')}</time></dd>
      ${
        notice.showUntil &&
        html`<dt>${text.showUntil}</dt>
          <dd><time datetime="${notice.showUntil}">${formatDate(visit, notice.showUntil)}</time></dd>`
      }
    </dl>
    <button type="button" class="quiet" popovertarget="contact">${text.contact}</button>
    <div id="contact" popover role="dialog" aria-labelledby="contact-title" data-testid="contact">
      <h3 id="contact-title">${text.contact}</h3>
      <p>${text.contactText}</p>
      <button type="button" class="quiet" popovertarget="contact" popovertargetaction="hide">
        ${text.close}
      </button>
    </div>
  </section>`
}

/** One notice; right after posting, with its number told to its author. */
export function addNotice(app: FastifyInstance, { store }: Site): void {
  app.get<{ Params: { number: string } }>('/notices/:number', async (request, reply) => {
    const visit = visitOf(request)
    const { notice: text, notices } = visit.text
    const number = parseNumber(request.params.number)
    const notice = number === null ? undefined : store.board.get(number)
    if (!notice) throw new SiteError(404, 'not_found')
    const own = visit.account !== null && visit.account.username === notice.account
    const justPosted = own && recordOf(request.query)['posted'] === '1'
    return await sendPage(request, reply, {
      title: notice.title,
      main: html`${justPosted && postedBanner(visit, notice)}
        <div class="columns">
          <article class="notice" aria-labelledby="notice-title">
            <h1 id="notice-title" dir="auto">${notice.title}</h1>
            ${notice.urgent && html`<p><strong class="urgent">${notices.urgent}</strong></p>`}
            <p class="body" dir="auto" data-testid="notice-body">${notice.body}</p>
            ${
              notice.picture &&
              html`<img
                class="picture"
                src="/pictures/${notice.picture.file}"
                alt="${text.pictureOf(notice.title)}"
                data-testid="notice-picture"
              />`
            }
          </article>
          ${details(visit, notice)}
        </div>
        <p class="actions">
          <a href="${visit.link('/notices')}">${text.back}</a>
          ${own && html`<a href="${visit.link('/notices/new')}">${text.another}</a>`}
        </p>`,
    })
  })
}
