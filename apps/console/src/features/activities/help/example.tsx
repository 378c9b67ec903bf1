import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { CATALOGUE, definitionOf, type ActivityType } from '@weft/workflow/catalogue/catalogue'
import { EXAMPLES } from '@weft/workflow/catalogue/examples'
import { toast } from '../../../kit/toast/toast.ts'
import { copyText } from '../../../kit/values/copy.ts'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { valueText } from '../../workflows/model/summary.ts'
import { useT } from '../text.ts'
import classes from './help.module.css'

/** A step as somebody might have filled it in; copied, it can be pasted into a workflow. */
export function Example({ type }: { type: ActivityType }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const state = EXAMPLES[type]
  const rows = (definitionOf(type)?.fields ?? []).flatMap((field) => {
    const value = valueText(field, state[field.name], catalogue)
    return value === null ? [] : [{ field, value }]
  })
  const copy = async () => {
    const id = type.replaceAll('-', '_')
    const step = { id, type, typeVersion: CATALOGUE[type].version, state }
    const fragment = { weft: 'fragment', heads: [id], activities: [step], connections: [] }
    if (await copyText(JSON.stringify(fragment))) toast.success(t('help.copied'))
  }
  return (
    <div className={classes.example}>
      {rows.length === 0 ? (
        <p className={classes.none}>{t('help.noFields')}</p>
      ) : (
        <dl className={classes.values}>
          {rows.map(({ field, value }) => (
            <div key={field.name}>
              <dt>{catalogue(field.labelKey)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
        {t('help.copy')}
      </Button>
    </div>
  )
}
