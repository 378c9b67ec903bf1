import { RECORDED_TEXT_MAX } from '@weft/contract/attended-runs/watched'
import { isSame, type Found } from './element.ts'
import type { Recordings } from './recording.ts'
import { literal, type Told } from './targets-of.ts'
import { within } from '../within.ts'

const READ_MS = 1000
const LIVE_MS = 300
/** So many ways to find an element go into a step. */
export const TARGETS_MOST = 5

interface Field {
  found: Found
  told: Told
  before: string | null
  /** What it held when it was read last, and what was typed since. */
  now: string | null
  since: string
  entry: number | null
}

/**
 * The field that somebody writes or chooses in. All that is typed there is one step, whose value is read from the field once
 * they go on; what stands in a password field is never read.
 */
export class Typing {
  readonly #recordings: Recordings
  readonly #changed: () => void
  /** The password fields there were, by how they are found. */
  readonly #secrets: string[] = []
  /** Every password field that was entered, also one in which nothing was typed yet. */
  readonly #entered = new Set<string>()
  #field: Field | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(recordings: Recordings, changed: () => void) {
    this.#recordings = recordings
    this.#changed = changed
  }

  /** Whether this is the field that is written in. */
  async isIn(found: Found | undefined): Promise<boolean> {
    return (
      found !== undefined && this.#field !== undefined && isSame(this.#field.found.element, found.element)
    )
  }

  /** What is known of the field that is written in. */
  get told(): Told | undefined {
    return this.#field?.told
  }

  /** Somebody writes in this field from now on, unless nobody waits for its being looked at any more. */
  async begin(found: Found, told: Told, signal: AbortSignal): Promise<void> {
    if (told.facts.secret) this.#entered.add(keyOf(told))
    const before = await this.#read(found, told)
    signal.throwIfAborted()
    this.#field = { found, told, before, now: before, since: '', entry: null }
  }

  /** Something is typed: the entry is there at once, its value follows. */
  typed(text: string): void {
    const field = this.#field
    if (!field) return
    field.since += text
    if (this.#isSecret(field.told)) this.#tell(field)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#follow(field), LIVE_MS)
  }

  /** The person goes on: what stands in the field now is what the step fills in. */
  async end(): Promise<void> {
    const field = this.#field
    this.#field = undefined
    clearTimeout(this.#timer)
    if (field) await this.#follow(field)
  }

  async #follow(field: Field): Promise<void> {
    if (this.#isSecret(field.told)) return
    try {
      field.now = await within(READ_MS, () => this.#read(field.found, field.told))
      field.since = ''
    } catch {
      // The page went on by what was typed: what the field held last, and what came after it, is the best there is.
      if (field.told.facts.kind === 'text') field.now = (field.now ?? '') + field.since
      field.since = ''
    }
    if (field.now !== field.before || field.entry !== null) this.#tell(field)
  }

  #tell(field: Field): void {
    const { facts, found } = field.told
    const targets = found.slice(0, TARGETS_MOST).map(({ target }) => target)
    const secret = this.#isSecret(field.told)
    const text = secret ? '' : literal((field.now ?? '').slice(0, RECORDED_TEXT_MAX))
    const choice = facts.kind === 'choice'
    const state = choice ? { targets, ...choiceOf(field.now ?? '') } : { targets, value: text }
    const type = choice ? ('select' as const) : ('fill' as const)
    const { last } = this.#recordings
    const same =
      last?.type === type && JSON.stringify(last.state['targets']) === JSON.stringify(targets)
        ? last.id
        : null
    field.entry ??= same
    if (field.entry !== null) this.#recordings.change(field.entry, state)
    else
      field.entry = this.#recordings.add({
        type,
        unrecorded: null,
        state,
        label: facts.label,
        secret: secret ? this.#secretOf(field.told) : null,
      })
    this.#changed()
  }

  /** A field stays a secret one when its page lets people see what they typed. */
  #isSecret(told: Told): boolean {
    return told.facts.secret || this.#entered.has(keyOf(told))
  }

  #secretOf(told: Told): number {
    const key = keyOf(told)
    if (!this.#secrets.includes(key)) this.#secrets.push(key)
    return this.#secrets.indexOf(key) + 1
  }

  /** What a field holds. Of a list: how its chosen option is named. */
  async #read({ element }: Found, told: Told): Promise<string | null> {
    if (this.#isSecret(told)) return null
    return element.evaluate((node) => {
      if (node instanceof HTMLSelectElement) {
        const chosen = node.selectedOptions[0]
        if (!chosen) return ''
        const alike = [...node.options].filter(({ label }) => label === chosen.label)
        return alike.length === 1 ? `label ${chosen.label}` : `index ${chosen.index}`
      }
      if (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement)
        // It may have become one since it was looked at first.
        return node.type === 'password' ? '' : node.value
      return node instanceof HTMLElement ? node.innerText : ''
    })
  }
}

const keyOf = ({ found }: Told): string => JSON.stringify(found[0]?.target ?? null)

function choiceOf(read: string): { by: string; value: string } {
  const [by = 'label'] = read.split(' ', 1)
  return { by, value: literal(read.slice(by.length + 1)) }
}
