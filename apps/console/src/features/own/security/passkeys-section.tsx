import { ActionIcon, Button, Modal, TextInput } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import { passkeys, type Passkey } from '@weft/contract/access/passkeys/api'
import type { TwoSteps } from '@weft/contract/access/two-steps/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { Time } from '../../../kit/values/values.tsx'
import { call } from '../../../lib/api.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { invalidateFeatures, useRead } from '../../../lib/query.ts'
import { deviceOf } from '../sessions/device.ts'
import { useT } from '../text.ts'
import { freshCodes } from './fresh-codes.ts'
import classes from '../own.module.css'

type Naming = { kind: 'new' } | { kind: 'rename'; passkey: Passkey }

/** Passkeys: added, renamed, taken away. */
export function PasskeysSection({ state }: { state: TwoSteps }) {
  const t = useT()
  const list = useRead(passkeys.list, {})
  const [naming, setNaming] = useState<Naming | null>(null)
  const remove = useChange(passkeys.remove, { done: t('passkeys.removed'), invalidates: ['twoSteps'] })
  const rename = useChange(passkeys.rename, { done: t('passkeys.renamed') })
  const [adding, setAdding] = useState(false)

  const add = async (name: string) => {
    setAdding(true)
    try {
      const [{ options }, { makePasskey }] = await Promise.all([
        call(passkeys.options, {}),
        import('../../../kit/two-steps/passkey.ts'),
      ])
      const made = await makePasskey(options)
      if (typeof made === 'string') return toast.warning(t(`passkeys.${made}`))
      // The browser's own object may carry more than the contract takes.
      const { id, rawId, response, clientExtensionResults, type, authenticatorAttachment } = made
      const { clientDataJSON, attestationObject, authenticatorData, transports } = response
      const { publicKey, publicKeyAlgorithm } = response
      const { recoveryCodes } = await call(passkeys.create, {
        name,
        passkey: {
          id,
          rawId,
          type,
          authenticatorAttachment: placeOf(authenticatorAttachment),
          clientExtensionResults: { ...clientExtensionResults },
          response: {
            clientDataJSON,
            attestationObject,
            authenticatorData,
            transports,
            publicKey,
            publicKeyAlgorithm,
          },
        },
      })
      toast.success(t('passkeys.added'))
      if (recoveryCodes.length > 0) freshCodes.set(recoveryCodes)
      void invalidateFeatures(['passkeys', 'twoSteps'])
    } catch (error) {
      toast.failure(error)
    } finally {
      setAdding(false)
    }
  }
  const named = (name: string) => {
    if (naming?.kind === 'rename') rename.mutate({ id: naming.passkey.id, name })
    else void add(name)
    setNaming(null)
  }
  const askRemove = async ({ id, name }: Passkey) => {
    const words = t('passkeys.removeText')
    if (await confirm({ name, text: words, confirmLabel: t('passkeys.remove') })) remove.mutate({ id })
  }
  const last = state.required && !state.totp && state.passkeys === 1
  return (
    <Section
      flush
      title={t('passkeys.title')}
      aside={
        <Button
          size="compact-sm"
          variant="default"
          loading={adding}
          onClick={() => setNaming({ kind: 'new' })}
        >
          {t('passkeys.add')}
        </Button>
      }
    >
      <Load of={list} part skeleton={<LinesSkeleton lines={3} />}>
        {({ data }) => (
          <ul className={classes.rows}>
            {data.length === 0 && <li className={classes.dim}>{t('passkeys.none')}</li>}
            {data.map((passkey) => (
              <li key={passkey.id}>
                <span className={classes.main}>
                  <strong>
                    <bdi>{passkey.name}</bdi>
                  </strong>
                  <span className={classes.dim}>
                    {t('passkeys.made')} <Time at={passkey.createdAt} /> · {t('passkeys.used')}{' '}
                    <Time at={passkey.lastUsedAt} />
                    {passkey.backedUp && ` · ${t('passkeys.synced')}`}
                  </span>
                </span>
                <ActionIcon
                  aria-label={t('passkeys.rename', { name: passkey.name })}
                  onClick={() => setNaming({ kind: 'rename', passkey })}
                >
                  <IconPencil size={16} />
                </ActionIcon>
                <ActionIcon
                  color="red"
                  disabled={last}
                  aria-label={t('passkeys.removeOne', { name: passkey.name })}
                  onClick={() => void askRemove(passkey)}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
      </Load>
      <NameDialog key={keyOf(naming)} naming={naming} onClose={() => setNaming(null)} onName={named} />
    </Section>
  )
}

function NameDialog(props: { naming: Naming | null; onClose: () => void; onName: (name: string) => void }) {
  const t = useT()
  const { naming } = props
  const [name, setName] = useState(() =>
    naming?.kind === 'rename' ? naming.passkey.name : thisDevice(t('passkeys.defaultName')),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') props.onName(name.trim())
  }
  return (
    <Modal
      opened={naming !== null}
      onClose={props.onClose}
      title={naming?.kind === 'rename' ? t('passkeys.renameTitle') : t('passkeys.add')}
      size={420}
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      <form onSubmit={submit}>
        <TextInput
          label={t('passkeys.name')}
          description={naming?.kind === 'new' ? t('passkeys.nameHelp') : undefined}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={80}
          required
          withAsterisk={false}
          data-autofocus
        />
        <Button type="submit" mt={20} fullWidth disabled={name.trim() === ''}>
          {naming?.kind === 'rename' ? text('kit:common.save') : t('passkeys.goOn')}
        </Button>
      </form>
    </Modal>
  )
}

const keyOf = (naming: Naming | null) =>
  naming?.kind === 'rename' ? naming.passkey.id : (naming?.kind ?? '')

function thisDevice(fallback: string): string {
  return deviceOf(navigator.userAgent).system ?? fallback
}

/** Where the key is, as far as the contract knows the word. */
function placeOf(attachment: string | undefined): 'platform' | 'cross-platform' | undefined {
  return attachment === 'platform' || attachment === 'cross-platform' ? attachment : undefined
}
