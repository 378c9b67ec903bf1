import type { LastValues } from '@weft/contract/test-runs/schema'
import { findJsonProblem, isJsonObject, type Json, type JsonObject } from '@weft/workflow/json'
import type { LeftValues } from './known-values.ts'

const MOST_LEVELS = 64

/** The values that the server tells of the last test run; what is no plain value is left out. */
export function asLeft({ inputs, vars, steps, item }: LastValues): LeftValues {
  return { inputs: plain(inputs), vars: plain(vars), steps: plain(steps), item: plain(item) }
}

function plain(values: unknown): JsonObject {
  return isJson(values) && isJsonObject(values) ? values : {}
}

const isJson = (value: unknown): value is Json => findJsonProblem(value, MOST_LEVELS) === undefined
