import { definitionOf } from './catalogue/catalogue.ts'
import type { WorkflowDocument } from './document.ts'
import { findReferences } from './expressions.ts'
import { readState } from './state-values.ts'
import { expressionsIn } from './validate/expressions.ts'
import type { ProjectNames } from './validate/expressions.ts'

/** The variables and secrets of a project that a document's expressions name, in order. */
export function projectNamesIn({ activities }: WorkflowDocument): ProjectNames {
  const found = { project: new Set<string>(), secrets: new Set<string>() }
  for (const { type, state } of activities) {
    const { dynamic } = readState(definitionOf(type)?.fields ?? [], state)
    for (const expression of dynamic.flatMap(expressionsIn))
      for (const { root, path } of findReferences(expression).references) {
        const [name] = path
        if ((root === 'project' || root === 'secrets') && name !== undefined) found[root].add(name)
      }
  }
  return { variables: [...found.project].sort(), secrets: [...found.secrets].sort() }
}
