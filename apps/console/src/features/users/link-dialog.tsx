import { Button, Group, Modal, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { CopyField } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { shownLink, type MadeLink } from './dialogs.ts'
import { useT } from './text.ts'

/** Shows a one-time link, once; it stands on every page that can make one. */
export function LinkDialog() {
  const t = useT()
  const kit = useKitText()
  const made = useSyncExternalStore(shownLink.subscribe, shownLink.get)
  const close = () => shownLink.set(null)
  return (
    <Modal
      opened={made !== null}
      onClose={close}
      title={made ? t(`link.${made.kind}`, { name: made.person.displayName }) : ''}
      size={560}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': kit('common.close') }}
    >
      {made && <Shown made={made} close={close} />}
    </Modal>
  )
}

function Shown({ made, close }: { made: MadeLink; close: () => void }) {
  const t = useT()
  const formats = useFormats()
  return (
    <>
      <Text c="dimmed" mb={16}>
        {t('link.text')} {made.person.email && t('link.mailed', { email: made.person.email })}
      </Text>
      <CopyField value={made.url} label={t('link.copy')} />
      <Text c="dimmed" size="sm" mt={8}>
        {t('link.until', { time: formats.dateTime(made.expiresAt) })}
      </Text>
      <Group justify="flex-end" mt={24}>
        <Button onClick={close}>{t('link.done')}</Button>
      </Group>
    </>
  )
}
