// A list that a text field commands: the elements that bring such a list along cannot be told what to show.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useEffect, useRef } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import type { ScopeValue } from './types.ts'
import classes from './schema-form.module.css'

/** Values under one heading. */
export interface ValueGroup {
  group: string
  entries: readonly ScopeValue[]
}

/** The values by their headings, in the order in which the first of each comes. */
export function groupsOf(entries: readonly ScopeValue[]): ValueGroup[] {
  const groups = Map.groupBy(entries, ({ group }) => group)
  return [...groups].map(([group, own]) => ({ group, entries: own }))
}

/** The id of a value in the list. */
export const optionId = (listId: string, { expression }: ScopeValue) =>
  `${listId}-${expression.replaceAll(/[^\w]/g, '-')}`

/** The list of values that fit: chosen with the field's own keys, so the focus stays in the field. */
export function Suggestions(props: {
  id: string
  groups: readonly ValueGroup[]
  current: ScopeValue | undefined
  pick: (entry: ScopeValue) => void
}) {
  const t = useKitText()
  const { id, groups, current, pick } = props
  return (
    <div
      id={id}
      role="listbox"
      aria-label={t('schema.insert')}
      className={classes.values}
      // Whoever reads without the field's keys can still scroll it; pressing it leaves the focus in the field.
      tabIndex={0}
      onMouseDown={(event) => event.preventDefault()}
    >
      {groups.map(({ group, entries }) => (
        <div key={group} role="group" aria-label={group}>
          <div className={classes.valuesHead} aria-hidden>
            {group}
          </div>
          {entries.map((entry) => (
            <Value
              key={entry.expression}
              id={optionId(id, entry)}
              entry={entry}
              active={entry === current}
              pick={() => pick(entry)}
            />
          ))}
        </div>
      ))}
    </div>
  )
}

function Value(props: { id: string; entry: ScopeValue; active: boolean; pick: () => void }) {
  const { id, entry, active, pick } = props
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) row.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    // The field has the keys, and keeps the focus while one of these is pressed.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      ref={row}
      id={id}
      role="option"
      aria-selected={active}
      className={classes.value}
      onMouseDown={(event) => event.preventDefault()}
      onClick={pick}
    >
      <span className={classes.valueHead}>
        <bdi dir="ltr" className={classes.expression}>
          {entry.expression}
        </bdi>
        {entry.type && <span className={classes.valueType}>{entry.type}</span>}
      </span>
      {entry.hint && <span className={classes.hint}>{entry.hint}</span>}
      {entry.sample !== undefined && (
        <span className={classes.sample}>
          <bdi>{entry.sample}</bdi>
        </span>
      )}
    </div>
  )
}
