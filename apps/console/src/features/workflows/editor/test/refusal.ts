import type { TestScope } from '@weft/contract/test-runs/schema'
import { isFailure, type Failure } from '../../../../lib/failure.ts'

/** Why a test run was not started. */
export interface Refusal {
  code: string
  params: Record<string, string | number | boolean | null>
  message: string
  scope: TestScope
  /** What is wrong with an input, by its name. */
  inputs: ReadonlyMap<string, string>
  /** The runs that hold every slot, by their ids, in words. */
  holders: readonly (readonly [runId: string, words: string])[]
  /** The mistakes that the server names, by their places in the document. */
  paths: readonly string[]
}

/** Reads why a start was refused. */
export function refusalOf(error: unknown, scope: TestScope): Refusal {
  if (!isFailure(error))
    return {
      code: 'system.failed',
      params: {},
      message: error instanceof Error ? error.message : '',
      scope,
      inputs: new Map(),
      holders: [],
      paths: [],
    }
  const { code, params = {}, message, errors = [] } = error.body
  const ofInputs = errors.flatMap(({ path, code: why }): [string, string][] =>
    path.startsWith('inputs.') ? [[path.slice('inputs.'.length), why]] : [],
  )
  return {
    code,
    params,
    message,
    scope,
    inputs: new Map(code === 'request.invalid' ? ofInputs : []),
    holders:
      code === 'attended.clients_busy_with'
        ? errors.map(({ path, message: words }) => [path, words] as const)
        : [],
    paths: errors.map(({ path }) => path),
  }
}

/** Whether it was refused since it does for real what cannot be taken back. */
export function isIrreversibleRefusal(error: unknown): error is Failure & Error {
  return isFailure(error) && error.body.code === 'testRun.irreversible'
}
