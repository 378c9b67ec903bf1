import type { Page } from 'playwright-core'
import type { AttendInput } from '@weft/contract/attended-runs/schema'
import type { Pointed } from '@weft/contract/attended-runs/watched'
import { boxOf } from './choices.ts'
import { elementAt, pressableOf } from './element.ts'
import { factsOf } from './facts.ts'
import { targetsOf } from './targets-of.ts'
import { within } from '../within.ts'

type Asked = Extract<AttendInput, { type: 'point' }>

const ANSWER_MS = 5000

/** Tells which element somebody points at, and once they press, how it can be found. Nothing is pressed in the page. */
export class Pointer {
  readonly #page: () => Page | undefined
  readonly #size: () => { width: number; height: number }
  readonly #changed: () => void
  #told: Pointed | undefined
  #next: Asked | undefined
  #busy = false

  constructor(options: {
    page: () => Page | undefined
    size: () => { width: number; height: number }
    changed: () => void
  }) {
    this.#page = options.page
    this.#size = options.size
    this.#changed = options.changed
  }

  /** What is pointed at, to be told. */
  get told(): Pointed | undefined {
    return this.#told
  }

  /** Somebody points; where they move on before the answer, only the last place is looked at. A press is always answered. */
  point(asked: Asked): void {
    if (this.#next?.chosen && !asked.chosen) return
    this.#next = asked
    if (!this.#busy) void this.#work()
  }

  async #work(): Promise<void> {
    this.#busy = true
    for (let asked = this.#next; asked; asked = this.#next) {
      this.#next = undefined
      this.#told = await within(ANSWER_MS, () => this.#look(asked)).catch(() => nothing(asked, 'noAnswer'))
      this.#changed()
    }
    this.#busy = false
  }

  async #look(asked: Asked): Promise<Pointed> {
    const page = this.#page()
    const { width, height } = this.#size()
    const at = page && (await elementAt(page, { x: asked.x * width, y: asked.y * height }))
    if (!page || !at) return nothing(asked, 'nothing')
    const element = asked.pressable ? await pressableOf(at) : at
    const box = await boxOf(element.element, { width, height })
    const common = { number: asked.number, chosen: asked.chosen, box }
    if (!asked.chosen) {
      const { tag, label } = await factsOf(element.element)
      return { ...common, tag: tag.slice(0, 60), label, found: [], problem: null }
    }
    const { facts, found, problem } = await targetsOf(page, element)
    return { ...common, tag: facts.tag.slice(0, 60), label: facts.label, found, problem }
  }
}

function nothing({ number, chosen }: Asked, problem: NonNullable<Pointed['problem']>): Pointed {
  return { number, chosen, box: null, tag: '', label: '', found: [], problem }
}
