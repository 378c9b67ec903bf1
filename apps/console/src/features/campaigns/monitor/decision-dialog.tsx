import { Button, Group, Modal, Radio } from '@mantine/core'
import { useState, useSyncExternalStore } from 'react'
import { campaigns } from '@weft/contract/campaigns/api'
import type { Item } from '@weft/contract/campaigns/schema'
import { GrowingText } from '../../../kit/fields/growing-text.tsx'
import { useChange } from '../../../kit/actions/use-change.ts'
import { actionLabel } from '../../../lib/i18n/names.ts'
import { text, useKitText } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import { deciding, type Decision } from './decision.ts'
import { itemName } from './item-name.ts'

const CALLS = { done: campaigns.doneItem, retry: campaigns.retryItem, skip: campaigns.skipItem } as const
const MOST_NOTE = 1000

/** Asks once more, says what the decision leads to, and takes a note for the record. */
export function DecisionDialog() {
  const t = useT()
  const open = useSyncExternalStore(deciding.subscribe, deciding.get)
  const close = () => deciding.set(null)
  return (
    <Modal
      opened={open !== null}
      onClose={close}
      title={open && t(`decide.title.${open.decision}`, { name: itemName(open.item) })}
      size={480}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      {open && <DecisionForm key={open.item.id} item={open.item} decision={open.decision} close={close} />}
    </Modal>
  )
}

function DecisionForm(props: { item: Item; decision: Decision; close: () => void }) {
  const { item, decision, close } = props
  const t = useT()
  const kit = useKitText()
  const [note, setNote] = useState('')
  const [fromStep, setFromStep] = useState(false)
  const change = useChange(CALLS[decision], {
    invalidates: ['runs', 'reports'],
    done: t(`decide.told.${decision}`, { name: itemName(item) }),
    onDone: close,
  })
  const uncertain = item.state === 'uncertain'
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate({
          id: item.id,
          ...(note.trim() ? { note: note.trim() } : {}),
          ...(fromStep ? { from: 'step' } : {}),
        })
      }}
    >
      <p style={{ margin: '0 0 12px' }}>
        {t(uncertain && decision === 'retry' ? 'decide.retryUncertain' : `decide.text.${decision}`)}
      </p>
      {decision === 'retry' && item.can.includes('retryFromStep') && (
        <Radio.Group
          label={t('decide.from.label')}
          value={fromStep ? 'step' : 'start'}
          onChange={(value) => setFromStep(value === 'step')}
          mb={16}
        >
          <Radio value="start" label={t('decide.from.start')} mt={8} />
          <Radio value="step" label={t('decide.from.step')} mt={8} />
        </Radio.Group>
      )}
      <GrowingText
        label={t('decide.note')}
        description={t('decide.noteHelp')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        maxLength={MOST_NOTE}
        minRows={2}
        maxRows={8}
        data-autofocus
      />
      <Group justify="flex-end" mt={20} gap={8}>
        <Button variant="default" onClick={close}>
          {kit('common.cancel')}
        </Button>
        <Button
          type="submit"
          loading={change.isPending}
          {...(uncertain && decision === 'retry' ? { color: 'red' } : {})}
        >
          {actionLabel('campaigns', decision)}
        </Button>
      </Group>
    </form>
  )
}
