import { Drawer, Text } from '@mantine/core'
import { useAppText } from '../../lib/i18n/texts.ts'
import { PreferenceControls } from '../../kit/preferences/preference-controls.tsx'

/** Every preference of the interface beside the page, live. */
export default function Customizer({ onClose }: { onClose: () => void }) {
  const t = useAppText()
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={360}
      title={t('customizer.title')}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      <Text c="dimmed" fz="sm" mb={20}>
        {t('customizer.lead')}
      </Text>
      <PreferenceControls />
    </Drawer>
  )
}
