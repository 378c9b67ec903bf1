import { Button, Group, Input, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { accounts } from '@weft/contract/accounts/api'
import { editorBrowsers } from '@weft/contract/editor-browsers/api'
import type { AttendedRun } from '@weft/contract/attended-runs/schema'
import { clients } from '@weft/contract/clients/api'
import { profiles } from '@weft/contract/profiles/api'
import { useChange } from '../../../../kit/actions/use-change.ts'
import { RecordPicker, type ListEndpoint, type PickerSource } from '../../../../kit/fields/record-picker.tsx'
import { useT } from '../../../live-browser/text.ts'
import { useEditor, useEditorState } from '../context.ts'
import { useKnownValues } from '../preview/use-known-values.ts'
import { useTestDesk } from '../test/test-desk.ts'
import classes from './browse.module.css'
import { firstAddress } from './first-address.ts'

const source = <E extends ListEndpoint>(of: PickerSource<E>) => of
const CLIENTS = source({ from: clients.list, get: clients.get, label: (one) => one.name })
const ACCOUNTS = source({ from: accounts.list, get: accounts.get, label: (one) => one.username })
const PROFILES = source({ from: profiles.list, get: profiles.get, label: (one) => one.name })

/** Asks where a browser is opened, with what, and at which address. What test runs work with is offered first. */
export function OpenForm(props: {
  purpose: 'pick' | 'record'
  stepId: string | null
  onOpen: (run: AttendedRun) => void
}) {
  const t = useT()
  const { workflow, document } = useEditor()
  const state = useEditorState()
  const { known } = useKnownValues()
  const setup = useTestDesk().setup.get()
  const [typed, setTyped] = useState<string | null>(null)
  const [clientId, setClientId] = useState(setup.clientId)
  const [accountId, setAccountId] = useState(setup.resources.accountId ?? null)
  const [profileId, setProfileId] = useState(setup.resources.profileId ?? null)
  const open = useChange(editorBrowsers.open, { onDone: props.onOpen })
  const url = (typed ?? firstAddress(document, props.stepId ?? state.focus, known)).trim()
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (url === '') return
        open.mutate({
          workflowId: workflow.id,
          purpose: props.purpose,
          url: withScheme(url),
          ...(clientId === null ? {} : { clientId }),
          ...(accountId === null ? {} : { accountId }),
          ...(profileId === null ? {} : { profileId }),
        })
      }}
    >
      <p className={classes.lead}>{t(`${props.purpose}.lead`)}</p>
      <TextInput
        label={t('open.address')}
        value={typed ?? url}
        onChange={(event) => setTyped(event.currentTarget.value)}
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
        required
        data-autofocus
      />
      <Chosen
        label={t('open.client')}
        none={t('open.anyClient')}
        of={CLIENTS}
        value={clientId}
        set={setClientId}
      />
      <Chosen
        label={t('open.account')}
        none={t('open.none')}
        of={ACCOUNTS}
        value={accountId}
        set={setAccountId}
      />
      <Chosen
        label={t('open.profile')}
        none={t('open.fresh')}
        of={PROFILES}
        value={profileId}
        set={setProfileId}
      />
      <p className={classes.dim}>{t('open.help')}</p>
      <Group justify="flex-end">
        <Button type="submit" loading={open.isPending} disabled={url === ''}>
          {t('open.open')}
        </Button>
      </Group>
    </form>
  )
}

function Chosen<E extends ListEndpoint>(props: {
  label: string
  none: string
  of: PickerSource<E>
  value: string | null
  set: (id: string | null) => void
}) {
  const id = useId()
  return (
    <Input.Wrapper id={id} label={props.label}>
      <RecordPicker
        source={props.of}
        id={id}
        value={props.value}
        onChange={(chosen) => props.set(chosen)}
        placeholder={props.none}
        clearable
      />
    </Input.Wrapper>
  )
}

const withScheme = (address: string) =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`
