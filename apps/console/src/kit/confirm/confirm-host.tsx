import { Button, Group, Modal, Text } from '@mantine/core'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { asked } from './confirm.ts'

/** Shows the open question. */
export default function ConfirmHost() {
  const t = useKitText()
  const question = useSyncExternalStore(asked.subscribe, asked.get)
  const danger = question?.danger !== false
  const [blocked, setBlocked] = useState(false)
  const [about, setAbout] = useState(question)
  if (about !== question) {
    setAbout(question)
    setBlocked(false)
  }
  return (
    <Modal
      opened={question !== null}
      onClose={() => question?.answer(false)}
      title={question?.title ?? t('confirm.title')}
      size={440}
      closeButtonProps={{ 'aria-label': t('common.close') }}
      zIndex={300}
    >
      {question?.name && (
        <Text fw={550} mb={4} style={{ overflowWrap: 'anywhere' }}>
          <bdi>
            {question.action
              ? t('confirm.about', { action: question.action, name: question.name })
              : question.name}
          </bdi>
        </Text>
      )}
      <Text c="dimmed">{question?.text ?? t('confirm.text')}</Text>
      <Suspense>{question?.body?.(setBlocked)}</Suspense>
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" data-autofocus onClick={() => question?.answer(false)}>
          {question?.cancelLabel ?? t('common.cancel')}
        </Button>
        <Button color={danger ? 'red' : undefined} disabled={blocked} onClick={() => question?.answer(true)}>
          {question?.confirmLabel ?? question?.action ?? t('common.yes')}
        </Button>
      </Group>
    </Modal>
  )
}
