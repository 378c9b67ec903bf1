import { Button, Drawer, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { FunctionEntry } from '@weft/contract/roles/schema'
import { text } from '../../lib/i18n/texts.ts'
import { draftOf, GrantEditor, grantOf, type GrantDraft } from './grant-editor.tsx'
import type { CellPlace } from './matrix.tsx'
import type { Cell, Grant } from './model/cells.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'
import { actionName, functionName } from './words.ts'

interface CellDrawerProps {
  place: CellPlace
  entry: FunctionEntry
  cell: Cell
  readOnly: boolean
  onApply: (cell: Cell) => void
  onClose: () => void
}

/** The conditions and fields of one cell. */
export function CellDrawer(props: CellDrawerProps) {
  const t = useT()
  const { place, entry, readOnly } = props
  const [allows, setAllows] = useState(() => props.cell.allows.map(draftOf))
  const [forbids, setForbids] = useState(() => props.cell.forbids.map(draftOf))
  const [asked, setAsked] = useState(false)
  const apply = () => {
    setAsked(true)
    const [good, bad] = [grantsOf(allows), grantsOf(forbids)]
    if (good && bad) props.onApply({ allows: good, forbids: bad })
  }
  const side = (
    drafts: readonly GrantDraft[],
    set: (drafts: GrantDraft[]) => void,
    words: { title: string; none: string; add: string },
  ) => (
    <section className={classes.side}>
      <h3>{words.title}</h3>
      {drafts.length === 0 && <p className={classes.none}>{words.none}</p>}
      {drafts.map((draft, at) => (
        <GrantEditor
          key={draft.key}
          entry={entry}
          action={place.action}
          draft={draft}
          readOnly={readOnly}
          asked={asked}
          onChange={(next) => set(drafts.map((one, index) => (index === at ? next : one)))}
          onRemove={() => set(drafts.filter((_, index) => index !== at))}
        />
      ))}
      {!readOnly && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => set([...drafts, draftOf({})])}
        >
          {words.add}
        </Button>
      )}
    </section>
  )
  return (
    <Drawer
      opened
      onClose={props.onClose}
      position="right"
      size={520}
      title={t('drawer.title', { function: functionName(place.subject), action: actionName(place.action) })}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      {side(allows, setAllows, {
        title: t('drawer.allows'),
        none: t('drawer.nothing'),
        add: t('drawer.addWay'),
      })}
      {side(forbids, setForbids, {
        title: t('drawer.forbids'),
        none: t('drawer.nothing'),
        add: t('drawer.addExcept'),
      })}
      {!readOnly && (
        <Group justify="flex-end" mt={24} gap={8}>
          <Button variant="default" onClick={props.onClose}>
            {text('kit:common.cancel')}
          </Button>
          <Button onClick={apply}>{t('drawer.apply')}</Button>
        </Group>
      )}
    </Drawer>
  )
}

function grantsOf(drafts: readonly GrantDraft[]): Grant[] | null {
  const grants = drafts.map(grantOf)
  return grants.every((grant) => grant !== null) ? grants : null
}
