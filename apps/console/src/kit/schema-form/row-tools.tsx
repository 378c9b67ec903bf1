import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { flushSync } from 'react-dom'
import { shutIf } from '../actions/shut.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import classes from './schema-form.module.css'

/** Moves or takes away one row of several. */
export function RowTools(props: {
  at: number
  count: number
  onMove: (by: -1 | 1) => void
  onRemove: () => void
  disabled?: boolean
}) {
  const t = useKitText()
  const row = props.at + 1
  const rowsOf = (tool: Element) => tool.closest(`.${classes['rows']}, ol, ul`)
  const remove = (tool: Element) => {
    const rows = rowsOf(tool)
    flushSync(props.onRemove)
    // The keyboard does not go with the row: it stays among the others, at the one that adds.
    const last = rows?.lastElementChild
    if (last instanceof HTMLButtonElement) last.focus()
    else last?.querySelector<HTMLElement>('[data-tool=remove]')?.focus()
  }
  const move = (tool: Element, by: -1 | 1) => {
    const rows = rowsOf(tool)
    flushSync(() => props.onMove(by))
    // It goes with the row, also to where the row cannot go on.
    const there = rows?.children[props.at + by]
    // A row may hold rows of its own, whose tools come behind.
    there?.querySelector<HTMLElement>(`[data-tool=${by < 0 ? 'up' : 'down'}]`)?.focus()
  }
  const mover = (by: -1 | 1) => {
    const isAtEnd = props.at === (by < 0 ? 0 : props.count - 1)
    return {
      'data-tool': by < 0 ? 'up' : 'down',
      ...shutIf(isAtEnd, (event) => move(event.currentTarget, by)),
    }
  }
  if (props.disabled) return null
  return (
    <span className={classes.rowTools}>
      {props.count > 1 && (
        <>
          <ActionIcon size={24} aria-label={t('form.moveUp', { row })} {...mover(-1)}>
            <IconArrowUp size={14} />
          </ActionIcon>
          <ActionIcon size={24} aria-label={t('form.moveDown', { row })} {...mover(1)}>
            <IconArrowDown size={14} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        size={24}
        data-tool="remove"
        aria-label={t('form.removeRow', { row })}
        onClick={(event) => remove(event.currentTarget)}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </span>
  )
}
