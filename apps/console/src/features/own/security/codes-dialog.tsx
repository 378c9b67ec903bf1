import { Button, Modal } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { RecoveryCodes } from '../../../kit/two-steps/recovery-codes.tsx'
import { text, useAppText } from '../../../lib/i18n/texts.ts'
import { signedIn } from '../../../lib/session/session.ts'
import { freshCodes } from './fresh-codes.ts'

/** Shows recovery codes that were just made; a click beside it does not close it. */
export function CodesDialog() {
  const t = useAppText()
  const codes = useSyncExternalStore(freshCodes.subscribe, freshCodes.get)
  const close = () => freshCodes.set(null)
  return (
    <Modal
      opened={codes !== null}
      onClose={close}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t('twoSteps.codes.title')}
      size={460}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      {codes && <RecoveryCodes codes={codes} account={signedIn.get()?.user.username ?? ''} />}
      <Button fullWidth mt={20} onClick={close}>
        {t('twoSteps.codes.go')}
      </Button>
    </Modal>
  )
}
