import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { flag, type Html, html } from '../html.ts'
import { formToken, sendPage } from '../http/layout.ts'
import { readCookieTries, triesSchema } from '../http/tries.ts'
import { readForm } from '../http/upload.ts'
import { checkFormToken, cookieTriesOf, keepTries, recordOf, type Visit, visitOf } from '../http/visit.ts'
import { seedAccounts } from '../seed.ts'
import { EVERYBODY, type Switches, switchesSchema } from '../store/switches.ts'
import type { Site } from './site.ts'

const NUMBERS = [
  ['slowMs', 60_000],
  ['failStatus', 599],
  ['failPercent', 100],
  ['failEvery', 1000],
  ['failFirst', 1000],
  ['dropEvery', 1000],
  ['loseAnswerEvery', 1000],
  ['sessionSeconds', 86_400],
] as const
const FLAGS = ['maintenance', 'refuseSignIn', 'wrongNumber', 'renamed'] as const
const APPLIES = ['every', 'reads', 'writes'] as const

/** The scope a text names; null when there is no such account. */
export function readScope(scope: unknown): string | null {
  if (scope === EVERYBODY) return EVERYBODY
  return seedAccounts.find((account) => account.username === scope)?.username ?? null
}

function scopeForm(visit: Visit, scope: string): Html {
  const { switches: text } = visit.text
  return html`<form class="search" action="${visit.link('/switches')}">
    <div class="field">
      <label for="scope">${text.scope}</label>
      <select id="scope" name="scope">
        <option value="${EVERYBODY}" ${flag('selected', scope === EVERYBODY)}>${text.everybody}</option>
        ${seedAccounts.map(
          ({ username }) =>
            html`<option value="${username}" ${flag('selected', scope === username)}>${username}</option>`,
        )}
      </select>
    </div>
    <button type="submit" class="quiet">${text.show}</button>
  </form>`
}

function switchesForm(visit: Visit, scope: string, values: Switches): Html {
  const { switches: text } = visit.text
  return html`<form
    method="post"
    action="${visit.link('/switches')}"
    class="stack"
    data-testid="switches-form"
  >
    ${formToken(visit)}
    <input type="hidden" name="scope" value="${scope}" />
    <fieldset>
      <legend>${text.timing}</legend>
      <p class="help" id="switch-help">${text.help}</p>
      <div class="grid">
        ${NUMBERS.map(
          ([name, max]) =>
            html`<div class="field">
              <label for="${name}">${text[name]}</label>
              <input
                id="${name}"
                name="${name}"
                type="number"
                min="${name === 'failStatus' ? 400 : 0}"
                max="${max}"
                value="${values[name]}"
                aria-describedby="switch-help"
              />
            </div>`,
        )}
        <div class="field">
          <label for="applies">${text.applies}</label>
          <select id="applies" name="applies">
            ${APPLIES.map(
              (which) =>
                html`<option value="${which}" ${flag('selected', values.applies === which)}>
                  ${text[which]}
                </option>`,
            )}
          </select>
        </div>
      </div>
    </fieldset>
    <fieldset>
      <legend>${text.behaviour}</legend>
      ${FLAGS.map(
        (name) =>
          html`<div class="check">
            <input id="${name}" name="${name}" type="checkbox" value="on" ${flag('checked', values[name])} />
            <label for="${name}">${text[name]}</label>
          </div>`,
      )}
    </fieldset>
    <p class="actions">
      <button type="submit" name="do" value="save">${text.save}</button>
      <button type="submit" name="do" value="clear" class="quiet">${text.clear}</button>
    </p>
  </form>`
}

function current(visit: Visit, on: Record<string, Switches>): Html {
  const { switches: text } = visit.text
  const scopes = Object.entries(on)
  return html`<section class="aside" aria-labelledby="now">
    <h2 id="now">${text.current}</h2>
    ${
      scopes.length === 0
        ? html`<p data-testid="switches-off">${text.allOff}</p>`
        : html`<dl data-testid="switches-on">
            ${scopes.map(
              ([scope, values]) =>
                html`<dt>${scope === EVERYBODY ? text.everybody : scope}</dt>
                  <dd dir="ltr"><code>${describe(values)}</code></dd>`,
            )}
          </dl>`
    }
  </section>`
}

function describe(values: Switches): string {
  const off: Record<string, unknown> = switchesSchema.parse({})
  return Object.entries(values)
    .filter(([name, value]) => value !== off[name])
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

function browserForm(request: FastifyRequest): Html {
  const visit = visitOf(request)
  const { switches: text } = visit.text
  const words = cookieTriesOf(request)
  return html`<section class="apart" aria-labelledby="browser">
    <h2 id="browser">${text.browser}</h2>
    <p>${text.browserLead}</p>
    <p><code dir="ltr">${Object.keys(triesSchema.shape).join(' · ')}</code></p>
    <form method="post" action="${visit.link('/switches/browser')}" class="stack">
      ${formToken(visit)}
      <div class="field">
        <label for="words">${text.browserLabel}</label>
        <input
          id="words"
          name="words"
          dir="ltr"
          maxlength="200"
          spellcheck="false"
          value="${words}"
          aria-describedby="words-help"
        />
        <p class="help" id="words-help">${text.browserHelp}</p>
      </div>
      <p class="actions"><button type="submit" class="quiet">${text.browserSave}</button></p>
    </form>
  </section>`
}

function readSwitches(fields: ReadonlyMap<string, string>): Switches | null {
  const input: Record<string, unknown> = { applies: fields.get('applies') }
  for (const [name] of NUMBERS) input[name] = Number(fields.get(name)?.trim() || Number.NaN)
  for (const name of FLAGS) input[name] = fields.get(name) === 'on'
  return switchesSchema.safeParse(input).data ?? null
}

/** The page that makes the site misbehave. It is open to everyone, as everything on a practice site. */
export function addSwitches(app: FastifyInstance, { store }: Site): void {
  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    at: { scope: string; wrong?: boolean; saved?: boolean },
  ): Promise<FastifyReply> {
    const visit = visitOf(request)
    const { switches: text } = visit.text
    return await sendPage(request, reply, {
      title: text.title,
      status: at.wrong ? 422 : 200,
      main: html`<h1>${text.title}</h1>
        <p class="lead">${text.lead}</p>
        ${at.saved && html`<p role="status" class="note">${text.saved}</p>`}
        ${at.wrong && html`<p role="alert" class="alert">${text.wrong}</p>`}
        <div class="columns">
          <div>
            ${scopeForm(visit, at.scope)} ${switchesForm(visit, at.scope, store.switches.get(at.scope))}
            ${browserForm(request)}
          </div>
          ${current(visit, store.switches.list())}
        </div>`,
    })
  }

  app.get('/switches', async (request, reply) => {
    const query = recordOf(request.query)
    return await show(request, reply, {
      scope: readScope(query['scope']) ?? EVERYBODY,
      saved: query['saved'] === '1',
    })
  })

  app.post('/switches', async (request, reply) => {
    const visit = visitOf(request)
    const fields = readForm(request)
    checkFormToken(visit, store, fields.get('form_token'))
    const scope = readScope(fields.get('scope'))
    const values = readSwitches(fields)
    if (fields.get('do') === 'clear') await store.switches.clear()
    else if (scope === null || values === null) {
      return await show(request, reply, { scope: scope ?? EVERYBODY, wrong: true })
    } else await store.switches.set(scope, values)
    return await reply.redirect(visit.link(`/switches?scope=${scope ?? EVERYBODY}&saved=1`), 303)
  })

  app.post('/switches/browser', async (request, reply) => {
    const visit = visitOf(request)
    const fields = readForm(request)
    checkFormToken(visit, store, fields.get('form_token'))
    const words = fields.get('words')?.trim().replaceAll(/\s+/g, '&') ?? ''
    const kept = Object.keys(readCookieTries(words)).length
    if (words !== '' && kept === 0) return await show(request, reply, { scope: EVERYBODY, wrong: true })
    keepTries(reply, words)
    return await reply.redirect(visit.link('/switches?saved=1'), 303)
  })
}
