import type { Decisions, SignedInUser } from '../../kit/context.ts'
import type { RowProblem } from '../../kit/import/table.ts'

/** On whose behalf rows are applied. */
export interface Importer extends Pick<Decisions, 'can'> {
  user: SignedInUser
}

/** What became of a row. */
export interface Outcome {
  row: number
  outcome: 'created' | 'updated' | 'skipped' | 'refused'
  recordId?: string
  problems?: RowProblem[]
  /** What was changed of the record. */
  change?: Change
}

/** How a row changed a record: the version that it got, its columns before, and what its history says. */
export interface Change {
  version: number
  before: Record<string, unknown>
  history: { before: object; after: object }
}

/** A row that passes the schema. */
export interface GoodRow {
  row: number
  /** What the file said, without what the schema adds. */
  given: Record<string, unknown>
  input: Record<string, unknown>
  identity: string | undefined
  duplicate: boolean
  /** The record that the check found for it. */
  recordId: string | null
}

/** What a batch made, and what it did not. */
export interface Created {
  outcomes: Outcome[]
  /** Rows whose record exists already. */
  duplicates: GoodRow[]
  /** The records that were made, by identity. */
  identities: Map<string, string>
}

/** Why a row is not taken although it is well formed: there is such a record. */
export const DUPLICATE: RowProblem = { path: '', code: 'record.duplicate', message: 'There is one already' }
/** Why a row is not taken although it is well formed: its uploader may not make or change the record. */
export const DENIED: RowProblem = { path: '', code: 'access.denied', message: 'Not allowed' }
/** Why a row is not taken although it is well formed: its uploader has as many records as their limit allows. */
export const FULL: RowProblem = { path: '', code: 'quota.exceeded', message: 'The limit is reached' }
