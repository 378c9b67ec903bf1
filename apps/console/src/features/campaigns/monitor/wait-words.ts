import type { WaitReason } from '@weft/contract/campaigns/schema'
import type { Formats } from '../../../lib/formats.ts'
import { optionLabel } from '../../../lib/i18n/names.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { codeText } from '../text.ts'

const DAY_MS = 86_400_000

/**
 * A reason as a sentence, with whose campaign holds it where that is another one, and until when where that is known: a
 * lease is renewed while its run goes on, so its end says nothing.
 */
export function waitText(reason: WaitReason, formats: Formats, own: { title: string; now: number }): string {
  const { code, params } = reason
  const { until, campaign } = params
  const shown: Record<string, string | number | null> = {}
  for (const [name, value] of Object.entries(params)) {
    if (name === 'until' && typeof value === 'string')
      shown[name] = Date.parse(value) - own.now < DAY_MS ? formats.time(value) : formats.dateTime(value)
    else if (name === 'status' && typeof value === 'string')
      shown[name] = optionLabel('campaigns', 'status', value)
    else if (name === 'per' && typeof value === 'string') shown[name] = codeText(`waitPer.${value}`) ?? value
    else shown[name] = value
  }
  const sentence = codeText(code, shown) ?? text('campaigns:wait.other', { code })
  const added = [
    typeof campaign !== 'string'
      ? undefined
      : campaign === own.title
        ? codeText('waitMore.own')
        : codeText('waitMore.campaign', shown),
    typeof until === 'string' && !code.endsWith('_leased') ? codeText('waitMore.until', shown) : undefined,
  ].filter((more) => more !== undefined)
  return added.length > 0 ? `${sentence} (${added.join(', ')})` : sentence
}
