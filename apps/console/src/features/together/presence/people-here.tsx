import { Popover, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useFormats } from '../../../lib/formats.ts'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { stepWords } from '../../workflows/editor/problem-text.ts'
import { useEditor } from '../../workflows/editor/context.ts'
import { useValueOf } from '../../../lib/use-value-of.ts'
import { namesOf } from '../names.ts'
import { useT } from '../text.ts'
import { useTogether, type PersonHere } from '../together.ts'
import { Face } from './face.tsx'
import classes from './presence.module.css'

/** So many faces stand beside each other; the others are a number. */
const FACES = 4

/** Who else has the workflow open: faces at the editor's head, and all names with their steps behind them. */
export function PeopleHere() {
  const t = useT()
  const formats = useFormats()
  const { people, total } = useValueOf(useTogether().people)
  const [open, setOpen] = useState(false)
  const names = namesOf(people)
  const label = total === 0 ? '' : t('here', { count: total, names })
  return (
    <>
      <span className="unseen" aria-live="polite">
        {label}
      </span>
      {total > 0 && (
        <Popover opened={open} onChange={setOpen} position="bottom-end" width={280} trapFocus returnFocus>
          <Popover.Target>
            <UnstyledButton
              className={classes.stack}
              aria-expanded={open}
              aria-haspopup="dialog"
              onClick={() => setOpen(!open)}
            >
              <span className="unseen">{label}</span>
              {people.slice(0, FACES).map(({ userId, displayName, hue }) => (
                <Face key={userId} userId={userId} name={displayName} hue={hue} />
              ))}
              {total > FACES && (
                <span className={classes.more} aria-hidden>
                  +{formats.number(total - FACES)}
                </span>
              )}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown p={8}>
            <Names people={people} rest={total - people.length} close={() => setOpen(false)} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

function Names(props: { people: readonly PersonHere[]; rest: number; close: () => void }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document, goTo } = useEditor()
  const known = new Set(document.activities.map(({ id }) => id))
  return (
    <ul className={classes.names}>
      {props.people.map(({ userId, displayName, hue, activityIds }) => {
        const stepId = activityIds.find((id) => known.has(id))
        return (
          <li key={userId} className={classes.name}>
            <Face userId={userId} name={displayName} hue={hue} />
            <span className={classes.who}>
              <bdi>{displayName}</bdi>
              {stepId !== undefined && (
                <UnstyledButton
                  className={classes.where}
                  onClick={() => {
                    props.close()
                    goTo(stepId)
                  }}
                >
                  {t('atStep', { step: isolate(stepWords(document, stepId, catalogue)) })}
                </UnstyledButton>
              )}
            </span>
          </li>
        )
      })}
      {props.rest > 0 && <li className={classes.rest}>{t('andMore', { count: props.rest })}</li>}
    </ul>
  )
}
