import type { Question } from '../../../../kit/confirm/confirm.ts'
import type { Failure } from '../../../../lib/failure.ts'
import type { useT } from '../../text.ts'
import classes from './test.module.css'

/** Asks whether the steps that cannot be taken back are to act for real, and names them. */
export function irreversibleQuestion({ body }: Failure, t: ReturnType<typeof useT>): Question {
  const steps = body.errors ?? []
  return {
    title: t('test.irreversible.title'),
    text: t('test.irreversible.text'),
    confirmLabel: t('test.irreversible.confirm'),
    danger: true,
    body: () => (
      <ul className={classes.named}>
        {steps.map(({ path, message }) => (
          <li key={path}>
            <bdi>{message}</bdi>
          </li>
        ))}
      </ul>
    ),
  }
}
