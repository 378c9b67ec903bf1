import { Button } from '@mantine/core'
import type { FunctionEntry } from '@weft/contract/roles/schema'
import type { CellPlace } from './matrix.tsx'
import { StateIcon } from './matrix.tsx'
import { EVERYTHING, NOTHING, OWN_ONLY, stateOf, type Cell, type CellState } from './model/cells.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'
import { actionName, functionName, grantWords } from './words.ts'

const PLAIN: readonly [CellState, Cell][] = [
  ['no', NOTHING],
  ['yes', EVERYTHING],
  ['own', OWN_ONLY],
]

/** What the chosen cell allows, in words, and how to change it. */
export function CellBar(props: {
  place: CellPlace | null
  entry: FunctionEntry | undefined
  cell: Cell | undefined
  readOnly: boolean
  onSet: (cell: Cell) => void
  onOpen: () => void
}) {
  const t = useT()
  const { place, entry, cell } = props
  if (!place || !entry) return null
  const state = stateOf(cell)
  const hasOwner = entry.conditions.some(({ name }) => name === 'ownerId')
  const words =
    state === 'some' && cell
      ? cell.allows.map((grant) => grantWords(place.subject, grant).join(', ')).join(` ${t('words.or')} `)
      : t(`states.${state}`)
  return (
    <div className={classes.bar}>
      <div className={classes.barText} aria-live="polite">
        <strong>
          {t('drawer.title', { function: functionName(place.subject), action: actionName(place.action) })}
        </strong>
        <span>{words}</span>
      </div>
      <fieldset className={classes.barTools} aria-label={t('bar.choose')}>
        {!props.readOnly &&
          PLAIN.filter(([one]) => one !== 'own' || hasOwner).map(([one, value]) => (
            <Button
              key={one}
              size="compact-sm"
              variant={state === one ? 'light' : 'default'}
              aria-pressed={state === one}
              leftSection={<StateIcon state={one} />}
              onClick={() => props.onSet(value)}
            >
              {t(`states.${one}`)}
            </Button>
          ))}
        {(!props.readOnly || state === 'some') && (
          <Button
            size="compact-sm"
            variant={state === 'some' ? 'light' : 'default'}
            leftSection={<StateIcon state="some" />}
            onClick={props.onOpen}
          >
            {t('bar.conditions')}
          </Button>
        )}
      </fieldset>
    </div>
  )
}
