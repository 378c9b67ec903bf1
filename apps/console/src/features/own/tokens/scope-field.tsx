import { Checkbox, Input } from '@mantine/core'
import { useId } from 'react'
import { tokens } from '@weft/contract/access/tokens/api'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { rightText } from '../../../kit/rights/right-text.ts'
import { firstText } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { toggled, type ChosenScopes } from './scopes.ts'
import classes from '../own.module.css'

/** What a token may do: a part of what one may do oneself. */
export function ScopeField(props: {
  value: ChosenScopes
  onChange: (value: ChosenScopes) => void
  error: string | null
}) {
  const t = useT()
  const scopes = useRead(tokens.scopes, {})
  const errorId = useId()
  const { value, onChange } = props
  return (
    <fieldset className={classes.field} aria-describedby={props.error ? errorId : undefined}>
      <legend className={classes.legend}>{t('tokens.scopes')}</legend>
      <div className={classes.scopes}>
        <Load of={scopes} part skeleton={<LinesSkeleton lines={6} />}>
          {(data) => (
            <>
              {data.map(({ subject, actions }) => (
                <div key={subject} className={classes.scope}>
                  <strong className={classes.subject}>{firstText([`kit:rights.subjects.${subject}`])}</strong>
                  <div className={classes.actions}>
                    {actions.map((action) => (
                      <Checkbox
                        key={action}
                        size="xs"
                        label={firstText([`kit:rights.actions.${action}`])}
                        aria-label={rightText({ action, subject })}
                        checked={value[subject]?.includes(action) === true}
                        onChange={(event) =>
                          onChange(toggled(value, subject, action, event.currentTarget.checked))
                        }
                      />
                    ))}
                  </div>
                </div>
              ))}
            </>
          )}
        </Load>
      </div>
      {props.error && (
        <Input.Error id={errorId} mt={4}>
          {props.error}
        </Input.Error>
      )}
    </fieldset>
  )
}
