import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconFilter, IconMinus, IconUser } from '@tabler/icons-react'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { ACTIONS, type Action, type Subject } from '@weft/contract/core/permissions'
import { FUNCTION_GROUPS, type FunctionEntry } from '@weft/contract/roles/schema'
import { useLanguage } from '../../lib/i18n/texts.ts'
import {
  cellKey,
  EVERYTHING,
  nextCell,
  NOTHING,
  OWN_ONLY,
  stateOf,
  type Cell,
  type CellState,
  type Matrix as Cells,
} from './model/cells.ts'
import { step, type Place } from './model/grid.ts'
import classes from './matrix.module.css'
import { useT } from './text.ts'
import { actionName, functionName } from './words.ts'

/** A cell by its function and action. */
export interface CellPlace {
  subject: Subject
  action: Action
}

const ICONS: Record<CellState, typeof IconCheck> = {
  no: IconMinus,
  yes: IconCheck,
  own: IconUser,
  some: IconFilter,
}

/** The sign of what a cell comes to. */
export function StateIcon({ state }: { state: CellState }) {
  const Icon = ICONS[state]
  return <Icon size={15} stroke={2.2} aria-hidden className={classes.icon} data-state={state} />
}

interface MatrixProps {
  name: string
  functions: readonly FunctionEntry[]
  cells: Cells
  changed: ReadonlySet<string>
  readOnly: boolean
  chosen: CellPlace | null
  onChoose: (place: CellPlace) => void
  onChange: (changes: Cells) => void
  /** Opens the conditions of a cell. */
  onOpen: (place: CellPlace) => void
}

/** Functions by actions: a grid that keys lead through, sticky at its head and its first column. */
export function Matrix(props: MatrixProps) {
  const t = useT()
  const { rtl } = useLanguage()
  const { functions, cells, readOnly } = props
  const rows = useMemo(
    () =>
      FUNCTION_GROUPS.flatMap((group) =>
        functions.filter((one) => one.group === group && one.actions.length > 0),
      ),
    [functions],
  )
  const columns = useMemo(
    () => ACTIONS.filter((action) => rows.some(({ actions }) => actions.includes(action))),
    [rows],
  )
  const [at, setAt] = useState<Place>({ row: 0, column: 0 })
  const grid = useRef<HTMLTableElement>(null)
  const has = ({ row, column }: Place) => {
    const action = columns[column]
    return action !== undefined && rows[row]?.actions.includes(action) === true
  }
  const placeOf = ({ row, column }: Place): CellPlace | null => {
    const [entry, action] = [rows[row], columns[column]]
    return entry && action ? { subject: entry.subject, action } : null
  }
  const choose = (place: Place) => {
    setAt(place)
    const cell = placeOf(place)
    if (cell) props.onChoose(cell)
  }
  const turn = (place: Place) => {
    choose(place)
    const cell = placeOf(place)
    if (!cell || readOnly) return
    const key = cellKey(cell.subject, cell.action)
    // What somebody wrote is not thrown away by a click.
    if (stateOf(cells[key]) === 'some') props.onOpen(cell)
    else props.onChange({ [key]: nextCell(cells[key], hasOwner(cell.subject)) })
  }
  const hasOwner = (subject: Subject) =>
    functions.find((one) => one.subject === subject)?.conditions.some(({ name }) => name === 'ownerId') ===
    true
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = placeOf(at)
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault()
      if (event.key === ' ') turn(at)
      else if (cell) props.onOpen(cell)
      return
    }
    const next = step(at, event.key, { rows: rows.length, columns: columns.length }, has, {
      rtl,
      ctrl: event.ctrlKey,
    })
    if (!next) return
    event.preventDefault()
    choose(next)
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next.row}-${next.column}"]`)?.focus()
  }
  return (
    <div className={classes.scroll}>
      <table
        className={classes.matrix}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- a table that keys lead through
        role="grid"
        aria-label={t('matrix.label', { name: props.name })}
        ref={grid}
        aria-readonly={readOnly}
      >
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {t('matrix.function')}
            </th>
            {columns.map((action) => (
              <th key={action} scope="col" className={classes.head}>
                {actionName(action)}
              </th>
            ))}
          </tr>
        </thead>
        {FUNCTION_GROUPS.map((group) => {
          const inGroup = rows
            .map((entry, row) => ({ entry, row }))
            .filter(({ entry }) => entry.group === group)
          if (inGroup.length === 0) return null
          return (
            <tbody key={group}>
              <tr className={classes.groupRow}>
                <th scope="rowgroup" className={classes.group}>
                  {t(`groups.${group}`)}
                </th>
                <td colSpan={columns.length} aria-hidden />
              </tr>
              {inGroup.map(({ entry, row }) => (
                <tr key={entry.subject} className={classes.row}>
                  <th scope="row" className={classes.name}>
                    <RowHead entry={entry} readOnly={readOnly} onChange={props.onChange} />
                  </th>
                  {columns.map((action, column) => {
                    if (!entry.actions.includes(action))
                      return <td key={action} className={classes.gap} aria-hidden />
                    const key = cellKey(entry.subject, action)
                    const state = stateOf(cells[key])
                    const isChanged = props.changed.has(key)
                    const isChosen = props.chosen?.subject === entry.subject && props.chosen.action === action
                    const words = t('matrix.cell', {
                      function: functionName(entry.subject),
                      action: actionName(action),
                      state: t(`states.${state}`),
                    })
                    return (
                      <td
                        key={action}
                        className={classes.cell}
                        data-cell={`${row}-${column}`}
                        data-state={state}
                        data-changed={isChanged || undefined}
                        aria-selected={isChosen}
                        aria-label={isChanged ? `${words} (${t('matrix.changed')})` : words}
                        tabIndex={at.row === row && at.column === column ? 0 : -1}
                        onClick={() => turn({ row, column })}
                        onFocus={() => choose({ row, column })}
                        onKeyDown={onKeyDown}
                      >
                        <StateIcon state={state} />
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          )
        })}
      </table>
    </div>
  )
}

/** A function's name; its menu sets the whole row. */
function RowHead(props: { entry: FunctionEntry; readOnly: boolean; onChange: (changes: Cells) => void }) {
  const t = useT()
  const { entry, readOnly } = props
  const name = functionName(entry.subject)
  const words = (
    <>
      <span>{name}</span>
      {!entry.enabled && <span className={classes.off}>{t('matrix.off')}</span>}
    </>
  )
  if (readOnly) return <span className={classes.rowName}>{words}</span>
  const fill = (cell: Cell) =>
    props.onChange(Object.fromEntries(entry.actions.map((action) => [cellKey(entry.subject, action), cell])))
  const hasOwner = entry.conditions.some(({ name: field }) => field === 'ownerId')
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={classes.rowName} title={t('matrix.row', { function: name })}>
          {words}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('matrix.row', { function: name })}</Menu.Label>
        <Menu.Item leftSection={<StateIcon state="yes" />} onClick={() => fill(EVERYTHING)}>
          {t('states.yes')}
        </Menu.Item>
        {hasOwner && (
          <Menu.Item leftSection={<StateIcon state="own" />} onClick={() => fill(OWN_ONLY)}>
            {t('states.own')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<StateIcon state="no" />} onClick={() => fill(NOTHING)}>
          {t('states.no')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
