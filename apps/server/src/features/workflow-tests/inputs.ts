import type { WorkflowDocument } from '@weft/workflow/document'

type Values = Record<string, unknown>

/**
 * What a test gives to a document's inputs but the secret ones: an input may have become secret after its value was kept
 * with a test.
 */
export function plainInputs({ inputs }: Pick<WorkflowDocument, 'inputs'>, values: Readonly<Values>): Values {
  const secret = new Set(inputs.flatMap((input) => (input.secret ? [input.name] : [])))
  return Object.fromEntries(Object.entries(values).filter(([name]) => !secret.has(name)))
}
