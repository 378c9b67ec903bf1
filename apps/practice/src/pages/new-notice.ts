import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { flag, type Html, html } from '../html.ts'
import { dropConnection, losesAnswer } from '../http/faults.ts'
import { formToken, sendPage, testId } from '../http/layout.ts'
import { SiteError } from '../http/site-error.ts'
import { readUpload } from '../http/upload.ts'
import { askToSignIn, checkFormToken, type Visit, visitOf } from '../http/visit.ts'
import { newNoticeSchema } from '../store/notice.ts'
import type { Text } from '../text/en.ts'
import { categoryOptions } from './parts.ts'
import type { Site } from './site.ts'

const FIELDS = ['title', 'body', 'category', 'show_until', 'picture'] as const
type Field = (typeof FIELDS)[number]
type ProblemCode = keyof Text['problems']
type Problems = Partial<Record<Field, ProblemCode>>
type Values = ReadonlyMap<string, string>

const KNOWN: ReadonlySet<string> = new Set([...FIELDS, 'urgent', 'form_token'])

function isProblemCode(text: string, visit: Visit): text is ProblemCode {
  return Object.hasOwn(visit.text.problems, text)
}

/** A labelled control with its help and its problem. */
function field(
  visit: Visit,
  problems: Problems,
  at: { name: Field; label: string; help?: string; optional?: boolean },
) {
  const id = testId(visit, at.name.replace('_', '-'))
  const problem = problems[at.name]
  const described = [at.help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const marks = html`${flag('aria-describedby', described || null)}${flag('aria-invalid', problem ? 'true' : null)}`
  const wrap = (control: Html): Html =>
    html`<div class="field">
      <label for="${id}"
        >${at.label}${at.optional && html` <span class="optional">(${visit.text.form.optional})</span>`}</label
      >
      ${control} ${at.help && html`<p class="help" id="${id}-help">${at.help}</p>`}
      ${problem && html`<p class="problem" id="${id}-problem">${visit.text.problems[problem]}</p>`}
    </div>`
  return { id, marks, wrap }
}

function fields(visit: Visit, values: Values, problems: Problems): Html {
  const { form } = visit.text
  const renamed = visit.renamed
  const title = field(visit, problems, {
    name: 'title',
    label: renamed ? form.headingRenamed : form.heading,
    help: form.headingHelp,
  })
  const body = field(visit, problems, {
    name: 'body',
    label: renamed ? form.bodyRenamed : form.body,
    help: form.bodyHelp,
  })
  const category = field(visit, problems, { name: 'category', label: form.category })
  const until = field(visit, problems, { name: 'show_until', label: form.showUntil, optional: true })
  const picture = field(visit, problems, {
    name: 'picture',
    label: form.picture,
    help: form.pictureHelp,
    optional: true,
  })
  const urgent = testId(visit, 'urgent')
  return html`${title.wrap(
      html`<input
        id="${title.id}"
        name="title"
        value="${values.get('title')}"
        dir="auto"
        required${title.marks}
      />`,
    )}
    ${body.wrap(
      // The line break after the tag is dropped by browsers, so a text may begin with one of its own.
      html`<textarea id="${body.id}" name="body" rows="6" dir="auto" required${body.marks}>
${values.get('body')}</textarea>`,
    )}
    ${category.wrap(
      html`<select id="${category.id}" name="category" required${category.marks}>
        <option value="">${form.choose}</option>
        ${categoryOptions(visit, values.get('category'))}
      </select>`,
    )}
    ${until.wrap(
      html`<input
        id="${until.id}"
        name="show_until"
        type="date"
        value="${values.get('show_until')}"
        ${until.marks}
      />`,
    )}
    ${picture.wrap(
      html`<input
        id="${picture.id}"
        name="picture"
        type="file"
        accept="image/png,image/jpeg,image/webp"
        ${picture.marks}
      />`,
    )}
    <div class="check">
      <input
        id="${urgent}"
        name="urgent"
        type="checkbox"
        value="yes"
        ${flag('checked', values.get('urgent') === 'yes')}
      />
      <label for="${urgent}">${form.urgent}</label>
    </div>`
}

function problemSummary(visit: Visit, problems: Problems): Html {
  return html`<div role="alert" class="alert" data-testid="form-problems">
    <p>${visit.text.form.wrong}</p>
    <ul>
      ${FIELDS.map((name) => {
        const problem = problems[name]
        const target = testId(visit, name.replace('_', '-'))
        return problem && html`<li><a href="#${target}">${visit.text.problems[problem]}</a></li>`
      })}
    </ul>
  </div>`
}

async function show(
  request: FastifyRequest,
  reply: FastifyReply,
  { values, problems, status }: { values: Values; problems: Problems; status?: number },
): Promise<FastifyReply> {
  const visit = visitOf(request)
  const { form } = visit.text
  return await sendPage(request, reply, {
    title: form.title,
    status,
    main: html`<section class="narrow">
      <h1>${form.title}</h1>
      <p class="lead">${form.lead}</p>
      ${Object.keys(problems).length > 0 && problemSummary(visit, problems)}
      <form
        method="post"
        action="${visit.link('/notices/new')}"
        enctype="multipart/form-data"
        class="stack"
        novalidate
        data-testid="${testId(visit, 'notice-form')}"
      >
        ${formToken(visit)} ${fields(visit, values, problems)}
        <p class="actions">
          <button type="submit" data-testid="${testId(visit, 'notice-submit')}">
            ${visit.renamed ? form.submitRenamed : form.submit}
          </button>
        </p>
      </form>
    </section>`,
  })
}

function check(visit: Visit, values: Values) {
  const parsed = newNoticeSchema.safeParse({
    title: values.get('title') ?? '',
    body: values.get('body') ?? '',
    category: values.get('category'),
    urgent: values.get('urgent') === 'yes',
    showUntil: values.get('show_until') || null,
  })
  const problems: Problems = {}
  for (const issue of parsed.error?.issues ?? []) {
    const name = issue.path[0] === 'showUntil' ? 'show_until' : issue.path[0]
    const found = FIELDS.find((candidate) => candidate === name)
    if (found) problems[found] ??= isProblemCode(issue.message, visit) ? issue.message : 'field_wrong'
  }
  return { notice: parsed.data, problems }
}

/** The form for a new notice. Sending it twice makes two notices, on purpose. */
export function addNewNotice(app: FastifyInstance, { store }: Site): void {
  app.get('/notices/new', async (request, reply) => {
    if (!visitOf(request).session) return await askToSignIn(request, reply)
    return await show(request, reply, { values: new Map(), problems: {} })
  })

  app.post('/notices/new', async (request, reply) => {
    const visit = visitOf(request)
    if (!visit.session) return await askToSignIn(request, reply)
    const { account } = visit.session
    const sent = await readUpload(request)
    checkFormToken(visit, store, sent.fields.get('form_token'))
    if ([...sent.fields.keys()].some((name) => !KNOWN.has(name))) throw new SiteError(400, 'malformed')
    const { notice, problems } = check(visit, sent.fields)
    if (sent.pictureProblem) problems.picture = sent.pictureProblem
    if (!notice || Object.keys(problems).length > 0) {
      return await show(request, reply, { values: sent.fields, problems, status: 422 })
    }
    const author = { account: account.username, author: account.displayName, via: 'form' as const }
    const posted = await store.board.post({ ...notice, ...author }, sent.picture ?? undefined)
    if (losesAnswer(visit, store, account.username)) {
      dropConnection(request, reply)
      return reply
    }
    return await reply.redirect(visit.link(`/notices/${posted.number}?posted=1`), 303)
  })
}
