import { memo } from 'react'
import { useFormats } from '../../../lib/formats.ts'
import { namesOf } from '../names.ts'
import { useT } from '../text.ts'
import { useAtStep, useTogether } from '../together.ts'
import classes from './presence.module.css'

/** Who else has chosen a step: their name in their colour, and a line along the row or around the card. */
export const StepPeople = memo(function StepPeople({ stepId, on }: { stepId: string; on: 'row' | 'card' }) {
  const t = useT()
  const formats = useFormats()
  const people = useAtStep(useTogether().where, stepId)
  const [first] = people
  if (!first) return null
  const names = namesOf(people)
  return (
    <>
      <span className={classes.ring} data-on={on} data-hue={first.hue} aria-hidden />
      <span className={classes.tag} data-on={on} data-hue={first.hue} title={names}>
        <bdi className={classes.tagName} aria-hidden>
          {first.displayName}
        </bdi>
        {people.length > 1 && <span aria-hidden>+{formats.number(people.length - 1)}</span>}
        <span className="unseen">{t('chosenBy', { names })}</span>
      </span>
    </>
  )
})
