import type { FastifyInstance } from 'fastify'
import { html } from '../html.ts'
import { sendPage } from '../http/layout.ts'
import { askToSignIn, visitOf } from '../http/visit.ts'
import { noticeList } from './parts.ts'
import type { Site } from './site.ts'

const SHOWN = 50

/** Who is signed in, and what they have posted. */
export function addProfile(app: FastifyInstance, { store }: Site): void {
  app.get('/profile', async (request, reply) => {
    const visit = visitOf(request)
    if (!visit.session) return await askToSignIn(request, reply)
    const { account } = visit.session
    const { profile, notices } = visit.text
    const own = store.board.list({ account: account.username })
    return await sendPage(request, reply, {
      title: profile.title,
      main: html`<h1>${profile.title}</h1>
        <div class="columns">
          <section aria-labelledby="yours">
            <h2 id="yours">${profile.yours}</h2>
            <p class="count" data-testid="own-count" data-count="${own.length}">
              ${notices.count(own.length)}
            </p>
            ${own.length > 0 ? noticeList(visit, own.slice(0, SHOWN)) : html`<p class="empty">${profile.none}</p>`}
          </section>
          <section class="aside" aria-labelledby="who">
            <h2 id="who"><bdi>${account.displayName}</bdi></h2>
            <dl>
              <dt>${profile.username}</dt>
              <dd data-testid="profile-username"><bdi>${account.username}</bdi></dd>
              <dt>${profile.email}</dt>
              <dd data-testid="profile-email"><bdi>${account.email}</bdi></dd>
              <dt>${profile.token}</dt>
              <dd data-testid="profile-token"><code dir="ltr">${account.token}</code></dd>
            </dl>
            <p><a href="/files/report.csv" download="report.csv">${profile.csv}</a></p>
          </section>
        </div>`,
    })
  })
}
