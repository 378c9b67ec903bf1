import { useKitText } from '../../lib/i18n/texts.ts'
import { Dash } from '../values/values.tsx'
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
