import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
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
  const remove = (button: Element) => {
    const rows = button.closest(`.${classes['rows']}`)
    props.onRemove()
    // The keyboard does not go with the row: it stays among the others, at the one that adds.
    requestAnimationFrame(() => {
      const last = rows?.lastElementChild
      if (last instanceof HTMLElement) last.focus()
    })
  }
  if (props.disabled) return null
  return (
    <span className={classes.rowTools}>
      {props.count > 1 && (
        <>
          <ActionIcon
            size={24}
            aria-label={t('form.moveUp', { row })}
            disabled={props.at === 0}
            onClick={() => props.onMove(-1)}
          >
            <IconArrowUp size={14} />
          </ActionIcon>
          <ActionIcon
            size={24}
            aria-label={t('form.moveDown', { row })}
            disabled={props.at === props.count - 1}
            onClick={() => props.onMove(1)}
          >
            <IconArrowDown size={14} />
          </ActionIcon>
        </>
      )}
      <ActionIcon
        size={24}
        aria-label={t('form.removeRow', { row })}
        onClick={(event) => remove(event.currentTarget)}
      >
        <IconTrash size={14} />
      </ActionIcon>
    </span>
  )
}
