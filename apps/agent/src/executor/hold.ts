import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { holdEndSchema, type Job } from '@weft/contract/agents/jobs'
import { HELD_STATE_MAX_BYTES, type WaitTold } from '@weft/contract/agents/reports'
import type {
  ExecutionResult,
  GoOn,
  HoldEnd,
  HoldOptions,
  HoldPlace,
  HoldRequest,
} from '@weft/workflow/interpret'
import { heldStateSchema } from '@weft/workflow/interpret/held-state'
import { jsonObjectSchema } from '@weft/workflow/document'
import { StepError } from '@weft/workflow/errors'
import { byteLength } from '@weft/workflow/json'
import { z } from 'zod'
import type { DomainLimits } from './browser/domains.ts'
import type { BrowserSession } from './browser/session.ts'
import type { Channel } from './channel.ts'
import { abortable, plainMessage } from './failures.ts'
import { pathOf } from './journal.ts'
import type { Masker } from './mask.ts'
import type { RunEnd } from './protocol.ts'
import { hiddenIn } from './steps/screenshot.ts'
import type { RunTools } from './steps/step.ts'
import { within } from './within.ts'

/** Waits as long as this and longer leave the client: opening a browser anew takes some seconds, and people answer late. */
export const HOLD_AFTER_SECONDS = 120
/** How often a run that waits without leaving asks whether the wait is over. */
const ASK_AGAIN_MS = 1000
const PAGE_MS = 30_000
const PICTURE_MS = 4000
/** How long a browser may take to give what sites have stored in it. */
const CAPTURE_MS = 8000
/** Tabs beyond these are not opened again. */
const MAX_PAGES = 20

const pageSchema = z.object({ url: z.string(), name: z.string().nullable(), current: z.boolean() })
type KeptPage = z.infer<typeof pageSchema>
/** What a held run leaves: where it stands, which texts are secret, and which pages were open. */
const leftSchema = z.object({
  held: heldStateSchema,
  hidden: z.array(z.string()),
  pages: z.array(pageSchema),
})
const endSchema = holdEndSchema.extend({ answers: jsonObjectSchema })

/** What of a browser is looked at when its run leaves. */
type Tabs = Pick<BrowserSession, 'peek' | 'tabs'>

/** What a run that goes on after a wait begins with. */
export interface GoingOn {
  goOn: GoOn
  hidden: string[]
  pages: KeptPage[]
}

/** Reads what the run before this one left, if it goes on after a wait. */
export function goOnOf({ goOn }: Pick<Job, 'goOn'>): GoingOn | null {
  if (!goOn) return null
  const { held, hidden, pages } = leftSchema.parse(goOn.state)
  return { goOn: { state: held, end: endSchema.parse(goOn.end) }, hidden, pages }
}

/** How long waits are dealt with: a test run keeps its browser, so that its author sees where it stands. */
export function holdOf(tools: RunTools, channel: Pick<Channel, 'request'>): HoldOptions {
  const { job } = tools
  return {
    afterSeconds: HOLD_AFTER_SECONDS,
    leave: job.test ? null : { maxBytes: HELD_STATE_MAX_BYTES / 2 },
    inPlace: waitingIn(channel, tools.masker),
    picture: (place, lane) => picture(tools, place, lane),
  }
}

/** Waits without leaving: asks the server again and again, until the wait is over or the run is stopped. */
export function waitingIn(
  channel: Pick<Channel, 'request'>,
  masker: Masker,
  againMs = ASK_AGAIN_MS,
): HoldOptions['inPlace'] {
  let waits = 0
  return async (request, place, signal) => {
    waits += 1
    const seq = waits
    const wait = told(request, place, masker)
    for (;;) {
      const end = await abortable(channel.request({ kind: 'wait', seq, wait }), signal)
      if (end !== null) return endSchema.parse(end) satisfies HoldEnd
      await abortable(sleep(againMs), signal)
    }
  }
}

/** What the server is told of a wait; a question holds no secrets. */
function told(request: HoldRequest, place: HoldPlace, masker: Masker): WaitTold {
  const { kind, seconds } = request
  const where = {
    stepId: place.stepId,
    stepName: place.name === null ? null : masker.text(place.name).slice(0, 200),
    path: pathOf(place),
  }
  if (request.kind === 'time') return { kind, seconds, ...where, question: null }
  const { title, text, fields, ...rest } = request.question
  const masked = {
    title: masker.text(title),
    text: masker.text(text),
    fields: fields.map((field) => ({ ...field, label: masker.text(field.label) })),
  }
  return { kind, seconds, ...where, question: { ...masked, ...rest } }
}

/**
 * What the end of a run that left to wait tells of it. The state is as it is: the server seals it. One that turns out to be
 * larger than may be kept is a failure here: the server would not take it.
 */
export function holdTold(
  { held }: Pick<ExecutionResult, 'held'>,
  session: Tabs,
  masker: Masker,
): RunEnd['hold'] {
  if (!held) return null
  const state = JSON.stringify({ held: held.state, hidden: masker.secrets, pages: pagesOf(session) })
  if (byteLength(state) > HELD_STATE_MAX_BYTES)
    throw new StepError('TooLarge', `The run would leave more than ${HELD_STATE_MAX_BYTES} bytes to be kept.`)
  return {
    ...told(held.request, held.place, masker),
    state: jsonObjectSchema.parse(JSON.parse(state)),
  }
}

/**
 * What sites have stored in the browser of a run that leaves, also without a profile; null where it could not be had. That is
 * told: the run goes on all the same, and may find itself signed out.
 */
export async function takeAlong<T>(
  capture: () => Promise<T>,
  warn: (text: string) => void,
  withinMs = CAPTURE_MS,
): Promise<T | null> {
  try {
    return await within(withinMs, capture)
  } catch (error) {
    warn(
      `What sites keep in the browser (cookies, sign-ins) could not be taken along: ${plainMessage(error)}. The run goes on with what was kept before, and may be signed out.`,
    )
    return null
  }
}

function pagesOf(session: Tabs): KeptPage[] {
  const current = session.peek('')
  return session
    .tabs('')
    .filter(({ page }) => /^https?:/.test(page.url()))
    .slice(0, MAX_PAGES)
    .map((tab) => ({ url: tab.page.url(), name: tab.name, current: tab === current }))
}

/** Opens the pages that stood when the run left. One that does not come is told; the steps that need it say more. */
export async function reopenPages(
  session: BrowserSession,
  pages: readonly KeptPage[],
  limits: DomainLimits,
  warn: (text: string) => void,
): Promise<void> {
  let current
  for (const [index, { url, name, current: isCurrent }] of pages.entries()) {
    const tab = index === 0 ? await session.tab('') : await session.openTab('', name)
    tab.name = name
    if (isCurrent) current = tab
    await reopen(tab.page, url, limits, warn)
  }
  if (current) session.switchTo('', current)
}

async function reopen(
  page: Page,
  url: string,
  limits: DomainLimits,
  warn: (text: string) => void,
): Promise<void> {
  try {
    limits.check(new URL(url))
    await page.goto(url, { waitUntil: 'load', timeout: PAGE_MS })
  } catch (error) {
    warn(`The page on which the run waited did not open: ${plainMessage(error)}`)
  }
}

/** Takes a picture of the page for a question. Without one the question is asked all the same. */
async function picture(tools: RunTools, place: HoldPlace, lane: string): Promise<void> {
  const page = tools.session.peek(lane)?.page
  if (!page) return
  const at = pathOf(place)
  const path = tools.files.newPath('.jpg')
  try {
    const mask = hiddenIn(tools, page)
    await page.screenshot({ path, type: 'jpeg', quality: 70, timeout: PICTURE_MS, mask })
    await tools.files.add({
      path,
      kind: 'screenshot',
      name: `${place.stepId}-asked.jpg`,
      stepId: place.stepId,
      at,
    })
  } catch {
    // The page is busy or gone; whoever answers sees the question alone.
  }
}
