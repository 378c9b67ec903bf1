import type { Campaign } from '@weft/contract/campaigns/schema'
import { PER } from '@weft/contract/campaigns/schema'
import { SegmentField, SelectField } from '../../../kit/fields/choice.tsx'
import { useFieldValue } from '../../../kit/form/context.ts'
import { Section } from '../../../kit/page/page.tsx'
import { useT } from '../text.ts'
import classes from './editor.module.css'
import { asPairing, canLink, joinsFor, partnersOf, PLURAL } from './pairing.ts'

/** What one item binds, explained rule by rule. */
export function PairingSection({ campaign, disabled }: { campaign: Campaign; disabled: boolean }) {
  const t = useT()
  const pairing = asPairing(useFieldValue('pairing'))
  const count = campaign.attached[PLURAL[pairing.per]] ?? 0
  return (
    <Section title={t('editor.pairing')}>
      <div className={classes.stack}>
        <SegmentField
          name="pairing.per"
          options={PER}
          field="per"
          disabled={disabled}
          help={t(`pairing.per.${pairing.per}`, { count })}
        />
        <div className={classes.joins}>
          {partnersOf(pairing.per).map((kind) => (
            <SelectField
              key={kind}
              name={`pairing.${kind}`}
              options={joinsFor(pairing, kind)}
              field="join"
              clearable={false}
              disabled={disabled}
              help={
                pairing[kind] === 'link' && !canLink(pairing, kind)
                  ? t('pairing.noLink')
                  : t(`pairing.join.${pairing[kind]}`)
              }
            />
          ))}
        </div>
      </div>
    </Section>
  )
}
