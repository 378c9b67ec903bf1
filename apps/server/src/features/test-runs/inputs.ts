import { z } from 'zod'
import type { WorkflowDocument } from '@weft/workflow/document'
import { AppError } from '../../kit/app-error.ts'
import { secretPlace } from '../../kit/resource/secrets.ts'
import type { Secrets } from '../../kit/secrets.ts'
import { testRun } from './table.ts'

const secretInputs = z.record(z.string(), z.unknown())

const FITS: Record<WorkflowDocument['inputs'][number]['type'], (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
}

/**
 * Refuses inputs that do not fit those of the document, naming each. One step alone needs none of them: what its expressions
 * do not find is null.
 */
export function checkTestInputs(
  { inputs }: Pick<WorkflowDocument, 'inputs'>,
  given: Readonly<Record<string, unknown>>,
  { oneStep }: { oneStep: boolean },
): void {
  const wrong = inputs.flatMap(({ name, type, required, default: initial }) => {
    const value = given[name] ?? initial
    const path = `inputs.${name}`
    if (value === undefined || value === null || value === '')
      return required && !oneStep ? [{ path, code: 'required', message: 'This input is required.' }] : []
    return FITS[type](value) ? [] : [{ path, code: 'wrong_type', message: `This input is a ${type}.` }]
  })
  const known = new Set(inputs.map(({ name }) => name))
  for (const name of Object.keys(given))
    if (!known.has(name))
      wrong.push({ path: `inputs.${name}`, code: 'unknown', message: 'The workflow has no such input.' })
  if (wrong.length > 0) throw new AppError('request.invalid', {}, { errors: wrong })
}

/** The inputs as they are kept: those that are secret sealed for this run, the others as they are. */
export function keptInputs(
  secrets: Secrets,
  runId: string,
  { inputs }: Pick<WorkflowDocument, 'inputs'>,
  given: Readonly<Record<string, unknown>>,
): { plain: Record<string, unknown>; sealed: string | null } {
  const secret = new Set(inputs.flatMap((input) => (input.secret ? [input.name] : [])))
  const entries = Object.entries(given)
  const hidden = entries.filter(([name]) => secret.has(name))
  return {
    plain: Object.fromEntries(entries.filter(([name]) => !secret.has(name))),
    sealed:
      hidden.length === 0
        ? null
        : secrets.seal(
            JSON.stringify(Object.fromEntries(hidden)),
            secretPlace(testRun, 'secretInputs', runId),
          ),
  }
}

/** The secret inputs of a test run, for its agent. */
export function openInputs(secrets: Secrets, runId: string, sealed: string): Record<string, unknown> {
  return secretInputs.parse(JSON.parse(secrets.open(sealed, secretPlace(testRun, 'secretInputs', runId))))
}
