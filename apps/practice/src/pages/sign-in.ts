import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../html.ts'
import { refusesSignIn } from '../http/faults.ts'
import { formToken, sendPage, testId } from '../http/layout.ts'
import { readForm } from '../http/upload.ts'
import {
  checkFormToken,
  clearSession,
  dropSession,
  recordOf,
  safeNext,
  startSession,
  visitOf,
} from '../http/visit.ts'
import type { Site } from './site.ts'

interface Attempt {
  status?: number
  problem?: string
  notice?: string
  username?: string
  next: string
}

async function show(request: FastifyRequest, reply: FastifyReply, attempt: Attempt): Promise<FastifyReply> {
  const visit = visitOf(request)
  const { signIn } = visit.text
  const id = (name: string): string => testId(visit, name)
  return await sendPage(request, reply, {
    title: signIn.title,
    status: attempt.status,
    main: html`<section class="narrow">
      <h1>${signIn.title}</h1>
      <p class="lead">${signIn.lead}</p>
      ${attempt.notice && html`<p role="status" class="note" data-testid="sign-in-notice">${attempt.notice}</p>`}
      ${attempt.problem && html`<p role="alert" class="alert" data-testid="sign-in-error">${attempt.problem}</p>`}
      <form
        method="post"
        action="${visit.link('/sign-in')}"
        class="stack"
        data-testid="${id('sign-in-form')}"
      >
        ${formToken(visit)}
        <input type="hidden" name="next" value="${attempt.next}" />
        <div class="field">
          <label for="${id('username')}">${signIn.username}</label>
          <input
            id="${id('username')}"
            name="username"
            autocomplete="username"
            autocapitalize="none"
            spellcheck="false"
            dir="ltr"
            required
            maxlength="64"
            value="${attempt.username}"
          />
        </div>
        <div class="field">
          <label for="${id('password')}">${signIn.password}</label>
          <input
            id="${id('password')}"
            name="password"
            type="password"
            autocomplete="current-password"
            dir="ltr"
            required
            maxlength="256"
          />
        </div>
        <p class="actions">
          <button type="submit" data-testid="${id('sign-in-submit')}">${signIn.submit}</button>
        </p>
      </form>
    </section>`,
  })
}

/** Signing in. */
export function addSignIn(app: FastifyInstance, { store }: Site): void {
  app.get('/sign-in', async (request, reply) => {
    const visit = visitOf(request)
    const query = recordOf(request.query)
    const next = safeNext(query['next'], visit.link('/notices'))
    if (visit.session) return await reply.redirect(next, 303)
    const { ended, required } = visit.text.signIn
    const reason = query['why'] === 'ended' ? ended : query['why'] === 'required' ? required : undefined
    return await show(request, reply, { next, notice: reason })
  })

  app.post('/sign-in', async (request, reply) => {
    const visit = visitOf(request)
    const fields = readForm(request)
    checkFormToken(visit, store, fields.get('form_token'))
    const username = fields.get('username')?.trim() ?? ''
    const next = safeNext(fields.get('next'), visit.link('/notices'))
    const account = store.sessions.check(username, fields.get('password') ?? '')
    const { wrong, refused } = visit.text.signIn
    if (!account) return await show(request, reply, { status: 401, problem: wrong, username, next })
    if (refusesSignIn(visit, store, username)) {
      return await show(request, reply, { status: 403, problem: refused, username, next })
    }
    startSession(reply, store, account)
    return await reply.redirect(next, 303)
  })
}

/** Signing out. */
export function addSignOut(app: FastifyInstance, { store }: Site): void {
  app.get('/sign-out', async (request, reply) => {
    const visit = visitOf(request)
    const { signOut, site } = visit.text
    return await sendPage(request, reply, {
      title: signOut.title,
      main: html`<section class="narrow">
        <h1>${signOut.title}</h1>
        ${
          visit.session
            ? html`<p class="lead">${signOut.lead}</p>
                <form method="post" action="${visit.link('/sign-out')}">
                  ${formToken(visit)}
                  <button type="submit">${site.signOut}</button>
                </form>`
            : html`<p role="status" class="note" data-testid="signed-out">${signOut.done}</p>
                <p><a class="button" href="${visit.link('/sign-in')}">${site.signIn}</a></p>`
        }
      </section>`,
    })
  })

  app.post('/sign-out', async (request, reply) => {
    const visit = visitOf(request)
    const fields = readForm(request)
    // Somebody whose session is over already is where they wanted to be.
    if (visit.session) {
      checkFormToken(visit, store, fields.get('form_token'))
      await store.sessions.end(visit.session)
      dropSession(visit, store)
    }
    clearSession(reply)
    return await reply.redirect(visit.link('/sign-out'), 303)
  })
}
