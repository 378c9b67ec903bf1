import { Button, Group, Modal, Text } from '@mantine/core'
import { Suspense, useCallback, useState, useSyncExternalStore } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { toast } from '../toast/toast.ts'
import { asked } from './confirm.ts'

const OPEN = { blocked: false }

/** Shows the open question. */
export default function ConfirmHost() {
  const t = useKitText()
  const question = useSyncExternalStore(asked.subscribe, asked.get)
  const danger = question?.danger !== false
  const [{ blocked, label }, setState] = useState<{ blocked: boolean; label?: string }>(OPEN)
  const [busy, setBusy] = useState(false)
  const block = useCallback(
    (next: boolean, words?: string) =>
      setState({ blocked: next, ...(words === undefined ? {} : { label: words }) }),
    [],
  )
  const [about, setAbout] = useState(question)
  if (about !== question) {
    setAbout(question)
    setState(OPEN)
  }
  const no = () => {
    if (!busy) question?.answer(false)
  }
  const yes = async () => {
    if (!question) return
    setBusy(true)
    try {
      await question.run?.()
      question.answer(true)
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Modal
      opened={question !== null}
      onClose={no}
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
      <Suspense>{question?.body?.(block)}</Suspense>
      <Group justify="flex-end" mt={24} gap={8}>
        <Button variant="default" data-autofocus onClick={no}>
          {question?.cancelLabel ?? t('common.cancel')}
        </Button>
        <Button
          color={danger ? 'red' : undefined}
          disabled={blocked}
          loading={busy}
          onClick={() => void yes()}
        >
          {label ?? question?.confirmLabel ?? question?.action ?? t('common.yes')}
        </Button>
      </Group>
    </Modal>
  )
}
