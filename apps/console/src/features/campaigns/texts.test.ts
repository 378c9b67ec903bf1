import { expect, test } from 'vitest'
import { CAMPAIGN_STATES, ITEM_STATES } from '@weft/contract/campaigns/states'
import {
  ATTACHABLE,
  CAMPAIGN_TYPES,
  exclusionSchema,
  JOINS,
  PER,
  waitReasonSchema,
} from '@weft/contract/campaigns/schema'
import { ERROR_CLASSES } from '@weft/workflow/errors'
import ar from './i18n/ar.json' with { type: 'json' }
import en from './i18n/en.json' with { type: 'json' }
import fr from './i18n/fr.json' with { type: 'json' }
import kitAr from '../../kit/i18n/ar.json' with { type: 'json' }
import kitEn from '../../kit/i18n/en.json' with { type: 'json' }
import kitFr from '../../kit/i18n/fr.json' with { type: 'json' }
import runsAr from '../runs/i18n/ar.json' with { type: 'json' }
import runsEn from '../runs/i18n/en.json' with { type: 'json' }
import runsFr from '../runs/i18n/fr.json' with { type: 'json' }

const LANGUAGES = [
  { code: 'en', own: en, kit: kitEn, runs: runsEn },
  { code: 'fr', own: fr, kit: kitFr, runs: runsFr },
  { code: 'ar', own: ar, kit: kitAr, runs: runsAr },
]

/** The text at a dotted path. */
function textAt(texts: object, path: string): unknown {
  return path.split('.').reduce<unknown>((at, part) => {
    if (at === null || typeof at !== 'object') return undefined
    return new Map<string, unknown>(Object.entries(at)).get(part)
  }, texts)
}

for (const { code, own, kit, runs } of LANGUAGES) {
  test(`${code}: every code of the contract has words`, () => {
    const codes = [...waitReasonSchema.shape.code.options, ...exclusionSchema.shape.code.options]
    // A text that counts has the form that fits any number.
    const hasWords = (one: string) => typeof (textAt(own, one) ?? textAt(own, `${one}_other`)) === 'string'
    expect(codes.filter((one) => !hasWords(one))).toEqual([])
  })

  test(`${code}: every state and choice has words`, () => {
    const states = [...CAMPAIGN_STATES, ...ITEM_STATES]
    const wordless = states.filter(
      (state) =>
        typeof textAt(own, `options.state.${state}`) !== 'string' &&
        typeof textAt(kit, `status.${state}`) !== 'string',
    )
    expect(wordless).toEqual([])
    const choices = [
      ...CAMPAIGN_TYPES.map((type) => `options.type.${type}`),
      ...PER.map((per) => `options.per.${per}`),
      ...JOINS.flatMap((join) => [`options.join.${join}`, `pairing.join.${join}`]),
      ...ATTACHABLE.flatMap((kind) => [`resources.kinds.${kind}`, `resources.go.${kind}`]),
    ]
    expect(choices.filter((path) => typeof textAt(own, path) !== 'string')).toEqual([])
  })

  test(`${code}: every class of error has words`, () => {
    const classes = [...Object.keys(ERROR_CLASSES), 'AgentLost', 'EffectUnknown', 'EffectDone']
    expect(classes.filter((name) => typeof textAt(runs, `errorClass.${name}`) !== 'string')).toEqual([])
  })
}
