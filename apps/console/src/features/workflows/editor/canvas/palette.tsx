import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconSearch } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { addAt } from '../../model/commands.ts'
import { NamedIcon } from '../../activity-icon.tsx'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { useMatches } from '../picker.tsx'
import { useCanvas } from './canvas-context.ts'
import classes from './palette.module.css'
import { DRAGGED_TYPE } from './dragged-type.ts'

/** The activities beside the canvas: dragged to where they belong, or pressed to come below the focus. */
export const Palette = memo(function Palette() {
  const t = useT()
  const { rtl } = useCanvas()
  const [open, setOpen] = useState(false)
  const label = t(open ? 'canvas.closePalette' : 'canvas.openPalette')
  return (
    <div className={classes.palette} data-open={open || undefined} dir={rtl ? 'rtl' : 'ltr'}>
      <div className={classes.paletteHead}>
        <Tooltip label={label}>
          <ActionIcon size={30} aria-label={label} aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? (
              <IconLayoutSidebarLeftCollapse size={17} className="flip-rtl" aria-hidden />
            ) : (
              <IconLayoutSidebarLeftExpand size={17} className="flip-rtl" aria-hidden />
            )}
          </ActionIcon>
        </Tooltip>
        {open && <span className={classes.paletteTitle}>{t('canvas.palette')}</span>}
      </div>
      {open && <Entries />}
    </div>
  )
})

function Entries() {
  const t = useT()
  const { update } = useEditor()
  const [typed, setTyped] = useState('')
  const groups = useMatches(typed)
  return (
    // Keys here are for the palette and change no step.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      className={classes.entries}
      onKeyDown={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
      onCopy={(event) => event.stopPropagation()}
      onCut={(event) => event.stopPropagation()}
    >
      <TextInput
        size="xs"
        value={typed}
        placeholder={t('picker.search')}
        aria-label={t('picker.search')}
        leftSection={<IconSearch size={14} aria-hidden />}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <div className={`${classes.groups} nowheel`}>
        {groups.length === 0 && <p className={classes.none}>{t('picker.nothing')}</p>}
        {groups.map(({ category, title, entries }) => (
          <section key={category} aria-label={title}>
            <h3 className={classes.category}>{title}</h3>
            {entries.map(({ key, icon, name, description }) => (
              <button
                key={key}
                type="button"
                className={classes.entry}
                title={description}
                draggable
                onDragStart={(event) => {
                  event.dataTransfer.setData(DRAGGED_TYPE, key)
                  event.dataTransfer.effectAllowed = 'copy'
                }}
                onClick={() => update((now) => addAt(now, key, Date.now()))}
              >
                <NamedIcon name={icon} size={16} className={classes.icon} />
                <span>{name}</span>
              </button>
            ))}
          </section>
        ))}
      </div>
    </div>
  )
}
