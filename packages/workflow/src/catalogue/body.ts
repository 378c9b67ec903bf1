import { emptyDocument, type ValueType, type WorkflowDocument } from '../document.ts'
import { findReferences } from '../expressions.ts'
import { apply, type Fragment } from '../operations.ts'
import { readState } from '../state-values.ts'
import { expressionsIn } from '../validate/expressions.ts'
import { definitionOf } from './catalogue.ts'

/**
 * A document that begins with copied steps, as the body of a custom activity: the inputs that they read become its
 * parameters, the variables that they use its own. What they read of steps that were not copied stays to be mended.
 */
export function bodyOf(fragment: Fragment): WorkflowDocument {
  const document = apply(emptyDocument(), { kind: 'paste', fragment, place: { at: 'start' } })
  const inputs = new Map<string, ValueType>()
  const variables = new Map<string, ValueType>()
  for (const { type, state } of document.activities) {
    const { dynamic } = readState(definitionOf(type)?.fields ?? [], state)
    for (const expression of dynamic.flatMap(expressionsIn)) {
      for (const { root, path } of findReferences(expression).references) {
        const [name] = path
        if (name === undefined || (root !== 'inputs' && root !== 'vars')) continue
        const into = root === 'inputs' ? inputs : variables
        // What a loop goes through is a list; of anything else only its author knows.
        const isList = type === 'for-each' && state['items'] === `${root}.${name}`
        if (isList || !into.has(name)) into.set(name, isList ? 'list' : 'text')
      }
    }
    const { name } = state
    if (type === 'set-variable' && typeof name === 'string' && name !== '' && !variables.has(name))
      variables.set(name, 'text')
  }
  return {
    ...document,
    inputs: [...inputs].map(([name, type]) => ({ name, type, required: true })),
    variables: [...variables].map(([name, type]) => ({ name, type })),
  }
}
