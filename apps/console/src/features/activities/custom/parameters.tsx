import type { ActivityRow } from '@weft/contract/activities/schema'
import { Code, Ltr } from '../../../kit/values/values.tsx'
import classes from '../help/help.module.css'
import { useT } from '../text.ts'

/** What a step of a custom activity is given, in its newest version. */
export function Parameters({ activity: { parameters } }: { activity: ActivityRow }) {
  const t = useT()
  if (parameters.length === 0) return <p className={classes.none}>{t('custom.noParameters')}</p>
  return (
    <ul className={classes.list}>
      {parameters.map(({ name, type, required, ...more }) => (
        <li key={name}>
          <strong>
            <bdi>{wordsIn(more['label']) ?? name}</bdi>
          </strong>
          {wordsIn(more['label']) && <Ltr>{name}</Ltr>}
          <span className={classes.dim}>{t(`types.${type}`)}</span>
          {required && <span className={classes.dim}>{t('help.required')}</span>}
          {wordsIn(more['help']) && <bdi className={classes.dim}>{wordsIn(more['help'])}</bdi>}
        </li>
      ))}
    </ul>
  )
}

const wordsIn = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** What later steps can read of a step of a custom activity. */
export function Results({ activity: { outputs } }: { activity: ActivityRow }) {
  const t = useT()
  if (outputs.length === 0) return <p className={classes.none}>{t('custom.noResults')}</p>
  return (
    <ul className={classes.list}>
      {outputs.map(({ name }) => (
        <li key={name}>
          <Code>{`steps.….outputs.${name}`}</Code>
        </li>
      ))}
    </ul>
  )
}
