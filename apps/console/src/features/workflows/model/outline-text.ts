import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { WorkflowDocument } from '@weft/workflow/document'
import { outlineOf } from '@weft/workflow/outline'
import { valuesOf } from './summary.ts'

/** Gives the text of a key of the catalogue. */
export type CatalogueText = (key: string, params?: Record<string, string>) => string
/** Words beyond the catalogue's. */
export interface OutlineWords {
  input: string
  variable: string
  setting: (name: string, value: string | number) => string
  disabled: string
  timeLimit: string
  retry: string
}

/** A document as plain text, a line per step and per value: what releases are shown and compared as. */
export function outlineText(document: WorkflowDocument, text: CatalogueText, words: OutlineWords): string[] {
  const lines: string[] = []
  const say = (depth: number, line: string) => lines.push(`${'  '.repeat(depth)}${line}`)
  for (const input of document.inputs) {
    const flags = [input.type, ...(input.required ? ['*'] : []), ...(input.secret ? ['•••'] : [])].join(' ')
    say(0, `${words.input} ${input.name} (${flags})${initial(input.default)}`)
  }
  for (const variable of document.variables)
    say(0, `${words.variable} ${variable.name} (${variable.type})${initial(variable.default)}`)
  for (const [name, value] of Object.entries(document.settings)) say(0, words.setting(name, value))
  for (const row of outlineOf(document)) {
    if (row.kind === 'outcome') {
      say(row.depth, text(row.outcome.labelKey, row.outcome.labelParams))
      continue
    }
    const { activity, depth } = row
    const definition = definitionOf(activity.type)
    const title = definition ? text(definition.titleKey) : activity.type
    const name = activity.name ? `${title}: ${activity.name}` : title
    say(depth, `${name} [${activity.id}]${activity.disabled ? ` (${words.disabled})` : ''}`)
    for (const { field, text: value } of valuesOf(activity, text))
      say(depth + 2, `${text(field.labelKey)} = ${value}`)
    if (activity.timeLimitSeconds !== undefined)
      say(depth + 2, `${words.timeLimit} = ${activity.timeLimitSeconds} s`)
    if (activity.retry)
      say(depth + 2, `${words.retry} = ${activity.retry.attempts} × ${activity.retry.delaySeconds} s`)
  }
  return lines
}

const initial = (value: unknown) =>
  value === undefined || value === null ? '' : ` = ${JSON.stringify(value)}`
