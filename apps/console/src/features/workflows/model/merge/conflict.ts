import type {
  Activity,
  WorkflowDocument,
  WorkflowInput,
  WorkflowSettings,
  WorkflowVariable,
} from '@weft/workflow/document'

/** Whose version of a thing is taken. */
export type Side = 'mine' | 'theirs'
/** What was chosen, by the key of the conflict. */
export type Choices = Readonly<Record<string, Side>>

/** Something that both changed, each in another way. Null: it was deleted on that side. */
export type Conflict =
  | { kind: 'step'; key: string; id: string; mine: Activity | null; theirs: Activity | null }
  | { kind: 'order'; key: string; mine: WorkflowDocument; theirs: WorkflowDocument }
  | { kind: 'input'; key: string; name: string; mine: WorkflowInput | null; theirs: WorkflowInput | null }
  | {
      kind: 'variable'
      key: string
      name: string
      mine: WorkflowVariable | null
      theirs: WorkflowVariable | null
    }
  | {
      kind: 'setting'
      key: string
      name: keyof WorkflowSettings
      mine: string | number
      theirs: string | number
    }

/** A merged document, and what was not clear; there the chosen side is in it, or else mine. */
export interface Merge {
  document: WorkflowDocument
  conflicts: Conflict[]
}
