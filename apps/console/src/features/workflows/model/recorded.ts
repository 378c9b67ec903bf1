import type { Recorded } from '@weft/contract/attended-runs/watched'
import { definitionOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity, WorkflowDocument, WorkflowInput } from '@weft/workflow/document'
import { apply, freeIdFor, type Fragment } from '@weft/workflow/operations'
import { pasteSteps, placeAt } from './edit.ts'
import { attempt, documentOf, edit, type EditorState } from './editor-state.ts'

/** The name of the input that stands for a password, before it is looked whether it is free. */
const SECRET = 'password'
const FILE = 'file'

/**
 * Puts recorded steps below the focus, as one change. What was typed as a password becomes a secret input, and each file that
 * was chosen an input of its own.
 */
export function insertRecorded(state: EditorState, recorded: readonly Recorded[], at: number): EditorState {
  const steps = recorded.filter(({ type }) => type !== null)
  if (steps.length === 0) return state
  return attempt(state, () => {
    const before = documentOf(state)
    const names = secretNames(before, steps)
    const withSecrets = withInputs(
      before,
      [...names.values()].map((name) => ({ name, secret: true })),
    )
    const files = fileNames(withSecrets, steps)
    const document = withInputs(
      withSecrets,
      [...files].map(([{ label }, name]) => ({
        name,
        ...(label === '' ? {} : { label: label.slice(0, 120) }),
      })),
    )
    const { document: next, focus } = pasteSteps(
      document,
      fragmentOf(document, steps, { secrets: names, files }),
      placeAt(document, state.focus),
    )
    return edit(state, next, { at, focus })
  })
}

/** An entry as the step that it becomes. */
export function stepOfRecorded(
  { type, state, secret }: Recorded,
  names: ReadonlyMap<number, string>,
  id: string,
  file?: string,
): Activity {
  const name = secret === null ? undefined : (names.get(secret) ?? SECRET)
  const given = {
    ...(name === undefined ? {} : { value: `{{ inputs.${name} }}` }),
    ...(file === undefined ? {} : { file: `{{ inputs.${file} }}` }),
  }
  return {
    id,
    type: type ?? '',
    typeVersion: definitionOf(type ?? '')?.version ?? 1,
    state: { ...state, ...given },
  }
}

/** Which input each password field is given by: a secret one of that name that is there already, or a new one. */
export function secretNames(document: WorkflowDocument, recorded: readonly Recorded[]): Map<number, string> {
  const names = new Map<number, string>()
  const taken = new Map(document.inputs.map((input) => [input.name, input]))
  const chosen = new Set<string>()
  for (const { secret } of recorded) {
    if (secret === null || names.has(secret)) continue
    let name = secret === 1 ? SECRET : `${SECRET}_${secret}`
    for (let number = 2; chosen.has(name) || (taken.has(name) && !taken.get(name)?.secret); number += 1)
      name = `${SECRET}_${number}`
    chosen.add(name)
    names.set(secret, name)
  }
  return names
}

/** The input of each file that was chosen, a new one each: two fields are not to be given one file unasked. */
function fileNames(document: WorkflowDocument, recorded: readonly Recorded[]): Map<Recorded, string> {
  const taken = new Set(document.inputs.map(({ name }) => name))
  const names = new Map<Recorded, string>()
  for (const entry of recorded) {
    if (entry.type !== 'upload-file') continue
    let name = FILE
    for (let number = 2; taken.has(name); number += 1) name = `${FILE}_${number}`
    taken.add(name)
    names.set(entry, name)
  }
  return names
}

function withInputs(
  document: WorkflowDocument,
  wanted: readonly Pick<WorkflowInput, 'name' | 'label' | 'secret'>[],
): WorkflowDocument {
  const known = new Set(document.inputs.map(({ name }) => name))
  const added = wanted.flatMap((input): WorkflowInput[] =>
    known.has(input.name) ? [] : [{ ...input, type: 'text', required: true }],
  )
  if (added.length === 0) return document
  return apply(document, { kind: 'setInputs', inputs: [...document.inputs, ...added] })
}

function fragmentOf(
  document: WorkflowDocument,
  recorded: readonly Recorded[],
  names: { secrets: ReadonlyMap<number, string>; files: ReadonlyMap<Recorded, string> },
): Fragment {
  // Ids are chosen one by one, each as if the steps before it were there already.
  const activities: Activity[] = []
  for (const entry of recorded) {
    const sofar = { ...document, activities: [...document.activities, ...activities] }
    activities.push(
      stepOfRecorded(entry, names.secrets, freeIdFor(sofar, entry.type ?? ''), names.files.get(entry)),
    )
  }
  return { weft: 'fragment', heads: activities.map(({ id }) => id), activities, connections: [] }
}
