import { z } from 'zod'
import type { activitySchema } from '@weft/contract/activities/schema'
import type { ActivityDefinition } from '@weft/workflow/catalogue/activity'
import { CATALOGUE } from '@weft/workflow/catalogue/catalogue'
import { CUSTOM_ACTIVITY } from '@weft/workflow/catalogue/flow'
import ar from '@weft/workflow/catalogue/i18n/ar.json' with { type: 'json' }
import en from '@weft/workflow/catalogue/i18n/en.json' with { type: 'json' }
import fr from '@weft/workflow/catalogue/i18n/fr.json' with { type: 'json' }
import type { Tx } from '../../db/connection.ts'
import { AppError } from '../../kit/app-error.ts'
import type { Decisions } from '../../kit/context.ts'
import { isId } from '../../kit/id.ts'
import { iso } from '../../kit/record.ts'
import { customActivities, type Custom } from './custom.ts'
import { activitySetting } from './table.ts'

/** An activity as the contract has it. */
export type Row = z.input<typeof activitySchema>
/** What the program itself knows of an activity, and the words by which it is found. */
interface Known {
  row: Omit<Row, 'enabled' | 'version' | 'updatedAt' | 'can' | 'cannot'>
  words: string
}

const TEXTS: readonly Record<string, unknown>[] = [en.activities, fr.activities, ar.activities]
const titled = z.looseObject({ title: z.string(), description: z.string() })

// The type of all custom activities is none by itself.
const BUILT_IN: readonly Known[] = Object.values(CATALOGUE)
  .filter(({ type }) => type !== CUSTOM_ACTIVITY)
  .map((definition) => ({
    row: builtIn(definition),
    words: wordsOf(definition),
  }))

/** All activities, in the order of the palette and the custom ones after them, with what this person may do. */
export async function allActivities(
  tx: Tx,
  decisions: Pick<Decisions, 'can'>,
): Promise<{ row: Row; words: string }[]> {
  const settings = await settingsOf(tx)
  const may = decisions.can('UPDATE', 'ACTIVITY')
  const builtIns = BUILT_IN.map(({ row, words }) => {
    const setting = settings.get(row.id)
    return {
      words,
      row: {
        ...row,
        enabled: setting?.enabled ?? true,
        version: setting?.version ?? 1,
        updatedAt: setting ? iso(setting.updatedAt) : null,
        can: may ? ['update'] : [],
        ...(may ? {} : { cannot: { update: 'access.denied' } }),
      },
    }
  })
  const custom = (await customActivities(tx)).map((one) => {
    const row = presentCustom(one, settings.get(one.row.id), decisions)
    return { row, words: [row.name, row.description, row.category].join(' ').toLowerCase() }
  })
  return [...builtIns, ...custom]
}

/** One activity; of a custom one the newest version, unless another is named. */
export async function oneActivity(
  tx: Tx,
  decisions: Pick<Decisions, 'can'>,
  id: string,
  number?: number,
): Promise<Row> {
  if (!isId(id)) {
    const found = (await allActivities(tx, decisions)).find(({ row }) => row.id === id)
    if (!found) throw new AppError('record.not_found')
    return found.row
  }
  const [custom] = await customActivities(tx, { id, number })
  if (!custom || (number !== undefined && custom.row.activityVersion === null))
    throw new AppError('record.not_found')
  return presentCustom(custom, (await settingsOf(tx)).get(id), decisions)
}

type Setting = typeof activitySetting.$inferSelect

async function settingsOf(tx: Tx): Promise<Map<string, Setting>> {
  return new Map((await tx.select().from(activitySetting)).map((row) => [row.activity, row]))
}

/** A change of its steps, its words or its switch makes another version of the record. */
function presentCustom(
  { row, seen, used, obstacle }: Custom,
  setting: Setting | undefined,
  { can: may }: Pick<Decisions, 'can'>,
): Row {
  const can: string[] = []
  const cannot: Record<string, string> = {}
  if (may('UPDATE', 'ACTIVITY', seen)) can.push('update')
  else cannot['update'] = 'access.denied'
  if (!may('DELETE', 'ACTIVITY', seen)) cannot['delete'] = 'access.denied'
  else if (obstacle) cannot['delete'] = obstacle
  else if (used) cannot['delete'] = 'record.in_use'
  else can.push('delete')
  return {
    ...row,
    enabled: setting?.enabled ?? true,
    version: row.version + (setting ? setting.version - 1 : 0),
    can,
    cannot,
  }
}

function builtIn(definition: ActivityDefinition): Known['row'] {
  return {
    id: definition.type,
    type: definition.type,
    name: null,
    description: null,
    activityVersion: definition.version,
    category: definition.category,
    icon: definition.icon,
    sideEffect: definition.sideEffect({}),
    inputSchema: z.toJSONSchema(definition.inputSchema, { io: 'input', unrepresentable: 'any' }),
    parameters: [],
    outputs: definition.outputs,
    outcomes: definition.outcomes({}).map(({ name }) => name),
    timeLimitSeconds: definition.defaultTimeLimitSeconds,
    builtIn: true,
  }
}

/** What an activity is called in every language, so that each finds it by their own words. */
function wordsOf({ type, category }: ActivityDefinition): string {
  const texts = TEXTS.flatMap((language) => {
    const own = titled.safeParse(language[type])
    return own.success ? [own.data.title, own.data.description] : []
  })
  return [type, category, ...texts].join(' ').toLowerCase()
}
