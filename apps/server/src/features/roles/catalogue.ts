import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { ACTIONS, SUBJECTS, type Action, type Subject } from '@weft/contract/core/permissions'
import { FUNCTIONS } from '@weft/contract/roles/catalogue'
import type { FIELD_KINDS, functionSchema } from '@weft/contract/roles/schema'
import type { Tx } from '../../kit/context.ts'
import type { RecordTable } from '../../kit/record.ts'
import { appUser, functionState, role } from '../access/table.ts'
import { account } from '../accounts/table.ts'
import { campaign } from '../campaigns/table.ts'
import { client } from '../clients/table.ts'
import { phone } from '../phones/table.ts'
import { profile } from '../profiles/table.ts'
import { project } from '../projects/table.ts'
import { proxy } from '../proxies/table.ts'
import { video } from '../videos/table.ts'
import { workflow } from '../workflows/table.ts'

/** The records that a function is about. */
export const TABLES: Partial<Record<Subject, RecordTable>> = {
  CAMPAIGN: campaign,
  WORKFLOW: workflow,
  PROJECT: project,
  CLIENT: client,
  ACCOUNT: account,
  PROFILE: profile,
  PHONE: phone,
  PROXY: proxy,
  VIDEO: video,
  USER: appUser,
  ROLE: role,
}

/** Functions that stay, for without them nobody could come in. */
const FIXED = new Set<Subject>(['AUTH'])
/** Columns that are for the program, or that nobody should be able to find out by conditions. */
const HIDDEN =
  /hash|secret|password|token|nonce|search|totp|sealed|recovery|Key$|heartbeat|fence|publicKey|machineId|deletedAt|version|instance|session|Before$/i
const COMMON = ['id', 'ownerId', 'createdBy', 'createdAt', 'updatedAt']

type Entry = z.input<typeof functionSchema>
type ConditionField = { name: string; kind: (typeof FIELD_KINDS)[number]; options?: string[] }

/** What conditions on a function's records can compare. */
export function conditionFields(subject: Subject): ConditionField[] {
  const table = TABLES[subject]
  if (!table) return COMMON.map((name) => ({ name, kind: name.endsWith('At') ? 'time' : 'id' }))
  return Object.entries(table).flatMap(([name, column]) => {
    if (!isColumn(column) || HIDDEN.test(name)) return []
    const kind = kindOf(column)
    if (!kind) return []
    const { enumValues } = column
    return [{ name, kind, ...(kind === 'option' && enumValues ? { options: [...enumValues] } : {}) }]
  })
}

/** Every function with what the mounted calls ask of it. */
export async function catalogueOf(tx: Tx, endpoints: readonly Endpoint[]): Promise<Entry[]> {
  const rows = await tx.select().from(functionState)
  const off = new Set(rows.filter(({ enabled }) => !enabled).map(({ subject }) => subject))
  const uses = usesOf(endpoints)
  return SUBJECTS.map((subject) => {
    const { actions, calls, fields } = uses.get(subject) ?? {
      actions: new Set(),
      calls: 0,
      fields: new Set(),
    }
    return {
      subject,
      ...FUNCTIONS[subject],
      actions: ACTIONS.filter((action) => actions.has(action)),
      calls,
      enabled: !off.has(subject),
      fixed: FIXED.has(subject),
      conditions: conditionFields(subject),
      fields: [...fields],
    }
  })
}

/** Whether a function may not be switched off. */
export function isFixed(subject: Subject): boolean {
  return FIXED.has(subject)
}

interface Uses {
  actions: Set<Action>
  calls: number
  fields: Set<string>
}

const known = new WeakMap<readonly Endpoint[], Map<Subject, Uses>>()

/** What the calls ask for: actions by function, and the fields that updates take. */
function usesOf(endpoints: readonly Endpoint[]): Map<Subject, Uses> {
  const found = known.get(endpoints)
  if (found) return found
  const uses = new Map<Subject, Uses>()
  for (const { access, input, name } of endpoints) {
    if (typeof access !== 'object') continue
    const { action, subject } = access
    const entry = uses.get(subject) ?? { actions: new Set(), calls: 0, fields: new Set() }
    uses.set(subject, entry)
    entry.actions.add(action)
    entry.calls += 1
    if (action !== 'UPDATE' || !name.endsWith('.update')) continue
    for (const field of Object.keys(input?.shape ?? {}))
      if (field !== 'id' && field !== 'version') entry.fields.add(field)
  }
  known.set(endpoints, uses)
  return uses
}

function isColumn(value: unknown): value is PgColumn {
  return typeof value === 'object' && value !== null && 'columnType' in value
}

function kindOf(column: PgColumn): ConditionField['kind'] | undefined {
  if (column.columnType === 'PgUUID') return 'id'
  if (column.dataType === 'string') return column.enumValues?.length ? 'option' : 'text'
  if (column.dataType === 'number' || column.dataType === 'bigint') return 'number'
  if (column.dataType === 'date') return 'time'
  return column.dataType === 'boolean' ? 'boolean' : undefined
}
