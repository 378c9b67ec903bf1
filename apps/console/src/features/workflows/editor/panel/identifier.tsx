import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { activityIdSchema, type Activity } from '@weft/workflow/document'
import { apply } from '@weft/workflow/operations'
import { Code } from '../../../../kit/values/values.tsx'
import { useKitText } from '../../../../lib/i18n/texts.ts'
import { edit } from '../../model/editor-state.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import classes from './panel.module.css'

/** The id by which expressions name a step; a new one is put into all of them. */
export function Identifier({ step }: { step: Activity }) {
  const t = useT()
  const { readOnly } = useEditor()
  const [open, setOpen] = useState(false)
  return (
    <div className={classes.identifier}>
      <span className={classes.identifierLabel}>{t('panel.id')}</span>
      <Code copy>{step.id}</Code>
      {!readOnly && (
        <Popover opened={open} onChange={setOpen} trapFocus returnFocus width={280}>
          <Popover.Target>
            <ActionIcon size={24} aria-label={t('panel.rename')} onClick={() => setOpen(!open)}>
              <IconPencil size={14} />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>{open && <Rename step={step} done={() => setOpen(false)} />}</Popover.Dropdown>
        </Popover>
      )}
    </div>
  )
}

function Rename({ step, done }: { step: Activity; done: () => void }) {
  const t = useT()
  const kit = useKitText()
  const { document, update } = useEditor()
  const [typed, setTyped] = useState(step.id)
  const taken = typed !== step.id && document.activities.some(({ id }) => id === typed)
  const wrong = !activityIdSchema.safeParse(typed).success
  const error = wrong ? t('panel.idInvalid') : taken ? t('panel.idTaken') : null
  const submit = () => {
    if (error) return
    update((state) => {
      const renamed = apply(state.history.present, { kind: 'renameActivity', id: step.id, newId: typed })
      return edit(state, renamed, { at: Date.now(), focus: typed })
    })
    done()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <TextInput
        label={t('panel.id')}
        description={t('panel.idHelp')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={error}
        dir="ltr"
        maxLength={48}
        mb={12}
      />
      <Button type="submit" size="compact-sm" disabled={error !== null}>
        {kit('common.save')}
      </Button>
    </form>
  )
}
