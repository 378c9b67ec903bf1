import { Link } from 'react-router'
import type { LeaseView } from '@weft/contract/core/lease'
import { useKitText } from '../../lib/i18n/texts.ts'
import { Dash, Time } from '../values/values.tsx'
import classes from './cells.module.css'

const SHOWN = 3

/** Yes or no as a word. */
export function YesNo({ value }: { value: boolean }) {
  const t = useKitText()
  return <>{value ? t('common.yes') : t('common.no')}</>
}

/** A few tags, and how many more there are. */
export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <Dash />
  const more = tags.length - SHOWN
  return (
    <span className={classes.tags} title={tags.join(', ')}>
      {tags.slice(0, SHOWN).map((tag) => (
        <bdi key={tag} className={classes.tag}>
          {tag}
        </bdi>
      ))}
      {more > 0 && <span className={classes.more}>+{more}</span>}
    </span>
  )
}

/** The lease in a row's field. */
export function leaseIn(value: unknown): LeaseView | null {
  return value !== null && typeof value === 'object' && 'runId' in value ? (value as LeaseView) : null
}

/** Which run holds a record, since when and until when. */
export function LeaseCell({ lease }: { lease: LeaseView | null }) {
  const t = useKitText()
  if (!lease) return <Dash />
  return (
    <span className={classes.lease}>
      <Link to={`/cms/run/info/${lease.runId}`}>
        <bdi>{lease.campaignTitle ?? t('list.lease.run')}</bdi>
      </Link>
      <span className={classes.until}>
        {t('list.lease.since')} <Time at={lease.since} /> · {t('list.lease.until')} <Time at={lease.until} />
      </span>
    </span>
  )
}
