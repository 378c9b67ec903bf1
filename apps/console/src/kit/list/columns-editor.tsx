import { ActionIcon, Button } from '@mantine/core'
import { IconGripVertical, IconPin, IconPinFilled } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { shutIf } from '../actions/shut.ts'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { PopupWindow } from '../popup/window.tsx'
import type { PopupParts } from '../popup/popup.tsx'
import {
  AS_IT_COMES,
  inOrder,
  isAsItComes,
  isShown,
  moveColumn,
  pinColumn,
  showColumn,
} from './arrangement.ts'
import { Box } from './box.tsx'
import { useListText } from './text.ts'
import type { ListHandle } from './handle.ts'
import classes from './panels.module.css'

/** Which columns are shown, in which order, and which stay at the start; by pointer and by keys. */
export function ColumnsEditor({ list, parts }: { list: ListHandle; parts: PopupParts }) {
  return (
    <PopupWindow parts={parts} position="bottom-end" width={300}>
      <Columns list={list} />
    </PopupWindow>
  )
}

function Columns({ list }: { list: ListHandle }) {
  const t = useListText()
  const kit = useKitText()
  const { arrangement, setArrangement } = list
  const { columns } = list.options
  const ordered = inOrder(columns, arrangement)
  const rows = useRef<HTMLUListElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const labelOf = (column: (typeof columns)[number]) => fieldLabel(list.feature, column.label ?? column.id)

  const move = (id: string, to: number) => {
    const next = moveColumn(columns, arrangement, id, to)
    if (next === arrangement) return
    setArrangement(next)
    const at = inOrder(columns, next).findIndex((column) => column.id === id)
    setSaid(t('columns.moved', { position: at + 1, count: ordered.length }))
  }
  const onKeyDown = (event: KeyboardEvent, id: string, at: number) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: ordered.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    move(id, to)
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>, id: string) => {
    if (event.button !== 0) return
    // The list has the pointer and not the entry, which is taken out of its place when it moves.
    rows.current?.setPointerCapture(event.pointerId)
    setDragged(id)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (dragged === null) return
    const heights = [...event.currentTarget.children].map((row) => row.getBoundingClientRect())
    const to = heights.findIndex(({ bottom }) => event.clientY < bottom)
    move(dragged, to < 0 ? ordered.length - 1 : to)
  }
  return (
    <div>
      <ul
        ref={rows}
        className={classes.columns}
        onPointerMove={onPointerMove}
        onLostPointerCapture={() => setDragged(null)}
      >
        {ordered.map((column, at) => {
          const { id } = column
          const label = labelOf(column)
          const pinned = arrangement.pinned.includes(id)
          return (
            <li key={id} className={classes.column} data-dragged={dragged === id || undefined}>
              <button
                type="button"
                className={classes.grip}
                aria-label={t('columns.move', { name: label })}
                title={t('columns.moveHelp')}
                onKeyDown={(event) => onKeyDown(event, id, at)}
                onPointerDown={(event) => onPointerDown(event, id)}
              >
                <IconGripVertical size={16} aria-hidden />
              </button>
              <label className={classes.columnName}>
                {column.isName ? (
                  <span className={classes.noBox} />
                ) : (
                  <Box
                    label={label}
                    checked={isShown(column, arrangement)}
                    onChange={() =>
                      setArrangement(showColumn(arrangement, id, !isShown(column, arrangement)))
                    }
                  />
                )}
                <span>{label}</span>
              </label>
              <ActionIcon
                size={28}
                aria-label={t('columns.pin', { name: label })}
                aria-pressed={pinned}
                title={t(pinned ? 'columns.unpin' : 'columns.pinHelp')}
                data-on={pinned || undefined}
                className={classes.pin}
                onClick={() => setArrangement(pinColumn(arrangement, id, !pinned))}
              >
                {pinned ? <IconPinFilled size={15} /> : <IconPin size={15} />}
              </ActionIcon>
            </li>
          )
        })}
      </ul>
      <output className="unseen">{said}</output>
      <p className={classes.hint}>
        {t(list.views.active?.state.columns ? 'columns.ofView' : 'columns.everywhere')}
      </p>
      <Button
        variant="subtle"
        size="compact-sm"
        {...shutIf(isAsItComes(arrangement), () => setArrangement(AS_IT_COMES))}
      >
        {kit('list.resetColumns')}
      </Button>
    </div>
  )
}
