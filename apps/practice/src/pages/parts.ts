import { flag, type Html, html } from '../html.ts'
import { formatDate } from '../http/layout.ts'
import type { Visit } from '../http/visit.ts'
import { CATEGORIES, formatNumber, type Notice } from '../store/notice.ts'

/** A category with its signal flag. */
export function categoryMark(visit: Visit, category: Notice['category']): Html {
  return html`<span class="category"
    ><span class="flag flag-${category}" aria-hidden="true"></span>${visit.text.categories[category]}</span
  >`
}

/** The options of a category select. */
export function categoryOptions(visit: Visit, chosen: string | undefined): Html[] {
  return CATEGORIES.map(
    (category) =>
      html`<option value="${category}" ${flag('selected', category === chosen)}>
        ${visit.text.categories[category]}
      </option>`,
  )
}

/** Notices as a list of links. */
export function noticeList(visit: Visit, notices: readonly Notice[]): Html {
  const { text } = visit
  return html`<ul class="notices" data-testid="notice-list">
    ${notices.map(
      (notice) =>
        html`<li data-testid="notice" data-number="${notice.number}">
          <a class="title" href="${visit.link(`/notices/${notice.number}`)}" dir="auto">${notice.title}</a>
          <p class="meta">
            ${categoryMark(visit, notice.category)}
            ${notice.urgent && html`<strong class="urgent">${text.notices.urgent}</strong>`}
            <span>${text.notices.by} <bdi>${notice.author}</bdi></span>
            <time datetime="${notice.postedAt}">${formatDate(visit, notice.postedAt)}</time>
            <span class="number"><bdi>${formatNumber(notice.number)}</bdi></span>
          </p>
        </li>`,
    )}
  </ul>`
}
