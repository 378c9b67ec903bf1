import type { BulkPreview } from '@weft/contract/bulks/schema'
import { errorText } from '../../../lib/i18n/names.ts'
import { useListText } from '../text.ts'
import classes from './bulk.module.css'

/** Why records are refused, the most frequent reason first, each with a few of the records. */
export function Reasons({ reasons }: { reasons: BulkPreview['reasons'] }) {
  const t = useListText()
  if (reasons.length === 0) return null
  return (
    <ul className={classes.reasons}>
      {reasons.map(({ code, count, examples }) => (
        <li key={code}>
          <b>{t('bulk.refused', { count })}</b> {errorText(code, { field: '' })}
          <small>
            {examples.map(({ id, name }, at) => (
              <bdi key={id}>
                {at > 0 && ', '}
                {name || id.slice(0, 8)}
              </bdi>
            ))}
            {count > examples.length && ' …'}
          </small>
        </li>
      ))}
    </ul>
  )
}
