import type { Locator } from 'playwright-core'
import type { ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import { StepError } from '@weft/workflow/errors'
import type { Json } from '@weft/workflow/json'
import { findAll, findElement } from '../browser/locate.ts'
import type { StepTime } from '../step-time.ts'
import type { Step } from './step.ts'

type Input = ResolvedInput<'extract'>

/** Where nothing need be there, this long is waited for it. */
const EMPTY_PATIENCE_MS = 3000

/** Reads from the page: a text, an attribute, a list of records or a table. */
export const extract: Step<'extract'> = async ({ session }, input, { context, time }) => {
  const { page } = await time.within(session.tab(context.lane))
  const patience = input.onMissing === 'empty' ? time.shorter(EMPTY_PATIENCE_MS) : time
  if (input.what === 'list') {
    const entries = await findAll(page, input.targets, patience)
    if (!entries && input.onMissing === 'fail') await findElement(page, input.targets, 'attached', time)
    const value = entries ? await time.within(readList(entries, input)) : []
    return { value, count: value.length }
  }
  let element: Locator
  try {
    element = await findElement(
      page,
      input.targets,
      input.what === 'table' ? 'attached' : 'visible',
      patience,
    )
  } catch (error) {
    const missing = error instanceof StepError && error.class === 'ElementNotFound'
    if (input.onMissing !== 'empty' || !missing) throw error
    return { value: input.what === 'table' ? [] : null, count: 0 }
  }
  const value = await readOne(element, input, time)
  return { value, count: Array.isArray(value) ? value.length : 1 }
}

async function readOne(element: Locator, input: Input, time: StepTime): Promise<Json> {
  const timeout = time.leftMs
  if (input.what === 'table') return time.within(readTable(element, input))
  if (input.what === 'attribute') return time.within(element.getAttribute(input.attribute ?? '', { timeout }))
  return time.within(
    element.evaluate(
      (node) => {
        const field =
          node instanceof HTMLInputElement ||
          node instanceof HTMLTextAreaElement ||
          node instanceof HTMLSelectElement
        if (field) return node.value
        return (node instanceof HTMLElement ? node.innerText : (node.textContent ?? '')).trim()
      },
      undefined,
      { timeout },
    ),
  )
}

async function readList(entries: Locator, input: Input): Promise<Json[]> {
  const columns = (input.columns ?? []).map(({ name, selector, attribute }) => ({
    name,
    selector: selector ?? null,
    attribute: attribute ?? null,
  }))
  return entries.evaluateAll(
    (nodes, { columns: wanted, max }) => {
      const textOf = (node: Element) =>
        (node instanceof HTMLElement ? node.innerText : (node.textContent ?? '')).trim()
      return nodes.slice(0, max).map((node) => {
        if (wanted.length === 0) return textOf(node)
        const pairs = wanted.map(({ name, selector, attribute }): [string, string | null] => {
          const part = selector === null ? node : node.querySelector(selector)
          if (!part) return [name, null]
          return [name, attribute === null ? textOf(part) : part.getAttribute(attribute)]
        })
        return Object.fromEntries(pairs)
      })
    },
    { columns, max: input.maxRows ?? 1000 },
  )
}

async function readTable(table: Locator, input: Input): Promise<Json[]> {
  return table.evaluate(
    (node, { header, max }) => {
      const rows = node instanceof HTMLTableElement ? [...node.rows] : []
      const cells = rows.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))
      if (!header) return cells.slice(0, max)
      const [names = [], ...rest] = cells
      return rest
        .slice(0, max)
        .map((row) =>
          Object.fromEntries(names.map((name, index) => [name || String(index), row[index] ?? ''])),
        )
    },
    { header: input.header ?? true, max: input.maxRows ?? 1000 },
  )
}
