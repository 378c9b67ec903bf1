import { z } from 'zod'
import type { activitySchema } from '@weft/contract/activities/schema'
import type { ActivityDefinition } from '@weft/workflow/catalogue/activity'
import { CATALOGUE } from '@weft/workflow/catalogue/catalogue'
import ar from '@weft/workflow/catalogue/i18n/ar.json' with { type: 'json' }
import en from '@weft/workflow/catalogue/i18n/en.json' with { type: 'json' }
import fr from '@weft/workflow/catalogue/i18n/fr.json' with { type: 'json' }
import type { Tx } from '../../db/connection.ts'
import type { Decisions } from '../../kit/context.ts'
import { iso } from '../../kit/record.ts'
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

const BUILT_IN: readonly Known[] = Object.values(CATALOGUE).map((definition) => ({
  row: builtIn(definition),
  words: wordsOf(definition),
}))

/** All activities, in the order of the palette, with what this person may do. */
export async function allActivities(
  tx: Tx,
  decisions: Pick<Decisions, 'can'>,
): Promise<{ row: Row; words: string }[]> {
  const settings = new Map((await tx.select().from(activitySetting)).map((row) => [row.activity, row]))
  const may = decisions.can('UPDATE', 'ACTIVITY')
  return BUILT_IN.map(({ row, words }) => {
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
