import type { ActivityDefinition } from '@weft/workflow/catalogue/activity'
import { failuresOf } from '@weft/workflow/catalogue/failures'
import { ERROR_CLASSES, type ErrorClass } from '@weft/workflow/errors'
import { text } from '../../../lib/i18n/texts.ts'
import { errorClassText, useT as useRunText } from '../../runs/text.ts'
import { useT } from '../text.ts'
import classes from './help.module.css'

/** How a step of an activity may fail, as runs tell it, and what helps. */
export function Failures({ definition }: { definition: ActivityDefinition }) {
  const t = useT()
  const classesOf = failuresOf(definition)
  if (classesOf.length === 0) return <p className={classes.none}>{t('help.noFailures')}</p>
  return (
    <dl className={classes.failures}>
      {classesOf.map((name) => (
        <Failure key={name} name={name} />
      ))}
    </dl>
  )
}

function Failure({ name }: { name: ErrorClass }) {
  const t = useT()
  // Waits for the words of the classes.
  useRunText()
  return (
    <div>
      <dt>
        {errorClassText(name)}
        <span className={classes.dim}>
          {t(ERROR_CLASSES[name].retryable ? 'help.retried' : 'help.notRetried')}
        </span>
      </dt>
      <dd>{text(`activities:failures.${name}`)}</dd>
    </div>
  )
}
