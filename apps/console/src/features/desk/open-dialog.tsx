import { Button, Group, Input, Modal, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { attendedRuns } from '@weft/contract/attended-runs/api'
import { clients } from '@weft/contract/clients/api'
import { useChange } from '../../kit/actions/use-change.ts'
import { RecordPicker } from '../../kit/fields/record-picker.tsx'
import { errorText } from '../../lib/i18n/names.ts'
import { text, useKitText } from '../../lib/i18n/texts.ts'
import classes from './desk.module.css'
import { lacksAddress, opening, type Opening } from './opening.ts'
import { viewerPath } from './paths.ts'
import { useT } from './text.ts'

const CLIENTS = { from: clients.list, get: clients.get, label: (client: { name: string }) => client.name }

/** Asks on which client and at which address a browser is opened; both may be left to the server. */
export default function OpenDialog({ what }: { what: Opening }) {
  const t = useT()
  const kit = useKitText()
  const navigate = useNavigate()
  const [clientId, setClientId] = useState<string | null>(null)
  const [url, setUrl] = useState('')
  const close = () => opening.set(null)
  const open = useChange(attendedRuns.open, {
    quiet: lacksAddress,
    onDone: (run) => {
      close()
      void navigate(viewerPath(run.id))
    },
  })
  const { accountId, profileId, name } = what
  const submit = () =>
    open.mutate({
      ...(accountId === undefined ? {} : { accountId }),
      ...(profileId === undefined ? {} : { profileId }),
      ...(clientId === null ? {} : { clientId }),
      ...(url.trim() === '' ? {} : { url: withScheme(url.trim()) }),
    })
  return (
    <Modal
      opened
      onClose={close}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      title={t('open.title', { name })}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p className={classes.lead}>{t('open.text')}</p>
        <Input.Wrapper id="desk-client" label={t('open.client')}>
          <RecordPicker
            source={CLIENTS}
            id="desk-client"
            value={clientId}
            onChange={(id) => setClientId(id)}
            placeholder={t('open.anyClient')}
            clearable
          />
        </Input.Wrapper>
        <TextInput
          mt={16}
          mb={24}
          label={t('open.address')}
          description={t('open.addressHelp')}
          value={url}
          error={lacksAddress(open.error) && errorText('attended.no_address')}
          onChange={(event) => {
            setUrl(event.currentTarget.value)
            if (open.isError) open.reset()
          }}
          dir="ltr"
          inputMode="url"
          autoComplete="off"
          maxLength={2000}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            {kit('common.cancel')}
          </Button>
          <Button type="submit" loading={open.isPending} data-autofocus>
            {t('open.open')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

const withScheme = (address: string) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`
