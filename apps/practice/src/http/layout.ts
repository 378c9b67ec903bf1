import type { FastifyReply, FastifyRequest } from 'fastify'
import { flag, type Html, html } from '../html.ts'
import { joinPath, LOCALE_NAMES, LOCALES } from '../text/locale.ts'
import { TRY_WORDS } from './tries.ts'
import { type Visit, visitOf } from './visit.ts'

/** A page before it is dressed. */
export interface Page {
  title: string
  main: Html
  status?: number
}

/** An input that proves the form came from this site. */
export function formToken(visit: Visit): Html {
  return html`<input type="hidden" name="form_token" value="${visit.formToken}" />`
}

/** A test id, or the one it has after the pretended redesign. */
export function testId(visit: Visit, name: string): string {
  return visit.renamed ? `${name}-v2` : name
}

/** A date in the visitor's language; harbour time is UTC. */
export function formatDate(visit: Visit, iso: string, style: 'date' | 'time' = 'date'): string {
  return new Intl.DateTimeFormat(visit.locale, {
    dateStyle: 'medium',
    ...(style === 'time' ? { timeStyle: 'short' } : {}),
    timeZone: 'UTC',
  }).format(new Date(iso))
}

/** The address of the same page in another language, without words that are about one request. */
function translated(request: FastifyRequest, locale: (typeof LOCALES)[number]): string {
  const visit = visitOf(request)
  const query = new URLSearchParams(request.url.split('?')[1] ?? '')
  for (const word of [...TRY_WORDS, 'posted', 'next']) query.delete(word)
  const text = query.toString()
  return joinPath(locale, visit.page) + (text === '' ? '' : `?${text}`)
}

function navigation(visit: Visit): Html {
  const pages = [
    ['/notices', visit.text.nav.notices],
    ['/prices', visit.text.nav.prices],
    ['/arrivals', visit.text.nav.arrivals],
    ['/useful', visit.text.nav.useful],
  ] as const
  return html`<nav class="site-nav" aria-label="${visit.text.site.mainNav}">
    <ul>
      ${pages.map(
        ([page, name]) =>
          html`<li>
            <a href="${visit.link(page)}" ${flag('aria-current', visit.page.startsWith(page) && 'page')}
              >${name}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
}

function whoIsHere(visit: Visit): Html {
  const { site } = visit.text
  if (!visit.session) {
    return html`<div class="who">
      <a class="button quiet" href="${visit.link('/sign-in')}">${site.signIn}</a>
    </div>`
  }
  const { displayName, username } = visit.session.account
  return html`<div class="who">
    <p>
      <span class="visually-hidden">${site.signedInAs}</span>
      <a href="${visit.link('/profile')}" data-testid="signed-in-user" data-username="${username}"
        ><bdi>${displayName}</bdi></a
      >
    </p>
    <form method="post" action="${visit.link('/sign-out')}">
      ${formToken(visit)}
      <button class="quiet" type="submit">${site.signOut}</button>
    </form>
  </div>`
}

function languages(request: FastifyRequest): Html {
  const visit = visitOf(request)
  return html`<nav class="languages" aria-label="${visit.text.site.languages}">
    <ul>
      ${LOCALES.map(
        (locale) =>
          html`<li>
            <a
              href="${translated(request, locale)}"
              lang="${locale}"
              hreflang="${locale}"
              ${flag('aria-current', locale === visit.locale && 'true')}
              >${LOCALE_NAMES[locale]}</a
            >
          </li>`,
      )}
    </ul>
  </nav>`
}

/** The whole document around a page's own content. */
export function layout(request: FastifyRequest, page: Page): Html {
  const visit = visitOf(request)
  const { site } = visit.text
  return html`<!doctype html>
    <html lang="${visit.locale}" dir="${visit.locale === 'ar' ? 'rtl' : 'ltr'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · ${site.name}</title>
        <link rel="stylesheet" href="/assets/site.css" />
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
      </head>
      <body>
        <a class="skip" href="#main">${site.skip}</a>
        <header class="site-header">
          <div class="frame">
            <a class="brand" href="${visit.link('/')}">
              <span class="mark" aria-hidden="true"></span>
              <span>${site.name}</span>
            </a>
            ${navigation(visit)} ${whoIsHere(visit)}
          </div>
        </header>
        <main id="main" class="frame" tabindex="-1">${page.main}</main>
        <footer class="site-footer">
          <div class="frame">
            <p>${site.footer} <a href="${visit.link('/switches')}">${site.switches}</a></p>
            ${languages(request)}
          </div>
        </footer>
      </body>
    </html>`
}

/** Sends a page. */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> {
  return await reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(layout(request, page).markup)
}
