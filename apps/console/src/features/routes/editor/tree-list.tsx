import { ActionIcon, Badge } from '@mantine/core'
import { IconEye, IconEyeOff, IconGripVertical, IconLock, IconPencil } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import type { MenuTree } from '@weft/contract/routes/schema'
import { childrenOf, dress, indent, outdent, put, rowOf, rowsOf, shift, type Row } from '../model/tree.ts'
import { useT } from '../text.ts'
import { iconOf, nameOf, type Look, type Pages } from './context.ts'
import { useDrag } from './drag.ts'
import classes from './editor.module.css'

/** The menu as lines that are dragged, or moved with Alt and the arrows. */
export function TreeList(props: {
  tree: MenuTree
  pages: Pages
  look: Look
  readOnly: boolean
  onChange: (tree: MenuTree) => void
  onEdit: (key: string) => void
}) {
  const t = useT()
  const { tree, pages, look, readOnly, onChange } = props
  const rows = rowsOf(tree)
  const hintId = useId()
  const list = useRef<HTMLUListElement>(null)
  const refocus = useRef<string | null>(null)
  const [said, setSaid] = useState('')
  const { Icon } = look

  useEffect(() => {
    // The browser drops the focus of what is put elsewhere in the page.
    if (refocus.current === null) return
    list.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(refocus.current)}"]`)?.focus()
    refocus.current = null
  })

  const announce = (next: MenuTree, key: string) => {
    const row = rowOf(next, key)
    const group = row?.parent ? rowOf(next, row.parent) : undefined
    if (!row) return
    const name = nameOf(row.entry, pages, look)
    const place = { name, position: row.index + 1, count: row.count }
    setSaid(
      group
        ? t('moved.inGroup', { ...place, group: nameOf(group.entry, pages, look) })
        : t('moved.top', place),
    )
  }
  const move = (next: MenuTree, key: string) => {
    if (next === tree) {
      setSaid(t('moved.not'))
      return
    }
    onChange(next)
    announce(next, key)
  }
  const drag = useDrag(rows, (key, place) => move(put(tree, key, place), key))
  const press = (event: KeyboardEvent, { key }: Row) => {
    const rtl = document.documentElement.dir === 'rtl'
    const step = STEPS[event.key]
    if (!step) return
    if (!event.altKey) {
      if (step !== 'up' && step !== 'down') return
      event.preventDefault()
      const handles = [...(list.current?.querySelectorAll<HTMLElement>('[data-handle]') ?? [])]
      const at = handles.findIndex((handle) => handle.dataset['handle'] === key)
      handles[at + (step === 'up' ? -1 : 1)]?.focus()
      return
    }
    event.preventDefault()
    if (readOnly) return
    refocus.current = key
    if (step === 'up') move(shift(tree, key, -1), key)
    else if (step === 'down') move(shift(tree, key, 1), key)
    else if ((step === 'right') === rtl) move(outdent(tree, key), key)
    else move(indent(tree, key), key)
  }

  return (
    <>
      <p id={hintId} className={classes.hint}>
        {t(readOnly ? 'hintReadOnly' : 'hint')}
      </p>
      <ul ref={list} className={classes.list} data-dragging={drag.dragged !== null || undefined}>
        {rows.map((row) => {
          const { key, entry } = row
          const name = nameOf(entry, pages, look)
          const page = entry.kind === 'page' ? pages.get(entry.path) : undefined
          const drop = drag.drop?.key === key ? drag.drop.where : undefined
          return (
            <li
              key={key}
              className={classes.row}
              data-row={key}
              data-depth={row.parent === null ? 0 : 1}
              data-group={childrenOf(entry) !== undefined || undefined}
              data-hidden={entry.hidden || undefined}
              data-dragged={drag.dragged === key || undefined}
              data-drop={drop}
            >
              <button
                type="button"
                className={classes.handle}
                data-handle={key}
                aria-label={t('move', { name })}
                aria-describedby={hintId}
                disabled={readOnly}
                onKeyDown={(event) => press(event, row)}
                {...(readOnly ? {} : drag.handle(key))}
              >
                <IconGripVertical size={16} aria-hidden />
              </button>
              {iconOf(entry, pages) && <Icon name={iconOf(entry, pages)} size={17} />}
              <span className={classes.name}>
                <bdi>{name}</bdi>
                {row.parent !== null && <span className="unseen"> {t('insideGroup')}</span>}
              </span>
              {entry.kind !== 'page' && (
                <Badge variant="light" color="gray" size="sm" tt="none" fw={500}>
                  {t(`kinds.${entry.kind}`)}
                </Badge>
              )}
              {entry.hidden && (
                <Badge variant="light" color="gray" size="sm" tt="none" fw={500}>
                  {t('hidden')}
                </Badge>
              )}
              {!readOnly && (
                <span className={classes.tools}>
                  {page?.fixed ? (
                    <span className={classes.fixed} title={t('fixed')}>
                      <IconLock size={16} aria-label={t('fixed')} />
                    </span>
                  ) : (
                    <ActionIcon
                      aria-label={t(entry.hidden ? 'show' : 'hide', { name })}
                      title={t(entry.hidden ? 'show' : 'hide', { name })}
                      onClick={() => onChange(dress(tree, key, { hidden: entry.hidden !== true }))}
                    >
                      {entry.hidden ? <IconEyeOff size={16} /> : <IconEye size={16} />}
                    </ActionIcon>
                  )}
                  <ActionIcon aria-label={t('edit', { name })} onClick={() => props.onEdit(key)}>
                    <IconPencil size={16} />
                  </ActionIcon>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      <output className="unseen">{said}</output>
    </>
  )
}

const STEPS: Readonly<Record<string, 'up' | 'down' | 'left' | 'right'>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}
