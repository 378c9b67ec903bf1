import type { WaitReason } from '@weft/contract/campaigns/schema'
import type { Formats } from '../../../lib/formats.ts'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { codeText } from '../text.ts'

/** Params that are moments, and are written as the language writes times. */
const MOMENTS: readonly string[] = ['until']

/** A reason as a sentence. What it does not say (whose campaign holds it, until when) is left out of the sentence. */
export function waitText(reason: WaitReason, formats: Formats): string {
  const { code, params } = reason
  const shown: Record<string, string | number | null> = {}
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'string' && MOMENTS.includes(name)) shown[name] = formats.dateTime(value)
    else if (name === 'status' && typeof value === 'string')
      shown[name] = optionLabel('campaigns', 'status', value)
    else if (name === 'per' && typeof value === 'string') shown[name] = codeText(`waitPer.${value}`) ?? value
    else shown[name] = value
  }
  const sentence = codeText(code, shown) ?? text('campaigns:wait.other', { code })
  const added = [
    typeof params['campaign'] === 'string' ? codeText('waitMore.campaign', shown) : undefined,
    typeof params['until'] === 'string' ? codeText('waitMore.until', shown) : undefined,
  ].filter((more) => more !== undefined)
  return added.length > 0 ? `${sentence} (${added.join(', ')})` : sentence
}
