import { Button } from '@mantine/core'
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { sso } from '@weft/contract/access/sso/api'
import type { SsoProvider } from '@weft/contract/access/sso/schema'
import { users } from '@weft/contract/users/api'
import { useChange } from '../../kit/actions/use-change.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { SelectField, SwitchField } from '../../kit/fields/choice.tsx'
import { SecretField, TextField } from '../../kit/fields/text.tsx'
import { FormDrawer } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { Facts, Section } from '../../kit/page/page.tsx'
import { Empty, Load } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { CopyField, Ltr } from '../../kit/values/values.tsx'
import { actionLabel, fieldLabel } from '../../lib/i18n/names.ts'
import { firstText } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'
import classes from './sso.module.css'

/** The providers that people may sign in with. */
export function ProvidersTab() {
  const t = useT()
  const record = useRead(sso.list, {})
  // Null: a new one.
  const [editing, setEditing] = useState<string | null | undefined>(undefined)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing(null)}>
      {t('add')}
    </Button>
  )
  return (
    <Load of={record}>
      {({ data }) => (
        <div className={classes.stack}>
          {data.length === 0 ? (
            <Empty title={t('empty.title')} text={t('empty.text')} action={add} />
          ) : (
            <div className={classes.head}>{add}</div>
          )}
          {data.map((provider) => (
            <Provider key={provider.id} provider={provider} edit={() => setEditing(provider.id)} />
          ))}
          {editing !== undefined && <ProviderForm id={editing} close={() => setEditing(undefined)} />}
        </div>
      )}
    </Load>
  )
}

function Provider({ provider, edit }: { provider: SsoProvider; edit: () => void }) {
  const t = useT()
  const remove = useChange(sso.remove, { done: t('removed') })
  const ask = async () => {
    if (await confirm({ name: provider.name, text: t('removeText'), danger: true }))
      remove.mutate({ id: provider.id })
  }
  const state = provider.enabled ? 'enabled' : 'disabled'
  return (
    <Section
      title={
        <span className={classes.title}>
          <bdi>{provider.name}</bdi>
          <StatusBadge
            value={state}
            text={t(`states.${state}`)}
            tone={provider.enabled ? 'green' : 'neutral'}
          />
        </span>
      }
      aside={
        <span className={classes.title}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPencil size={14} aria-hidden />}
            aria-label={t('editOne', { name: provider.name })}
            onClick={edit}
          >
            {actionLabel('sso', 'edit')}
          </Button>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconTrash size={14} aria-hidden />}
            aria-label={t('removeOne', { name: provider.name })}
            loading={remove.isPending}
            onClick={() => void ask()}
          >
            {actionLabel('sso', 'delete')}
          </Button>
        </span>
      }
    >
      <Facts
        rows={[
          [fieldLabel('sso', 'issuer'), <Ltr key="issuer">{provider.issuer}</Ltr>],
          [fieldLabel('sso', 'appKey'), <Ltr key="appKey">{provider.appKey}</Ltr>],
          [fieldLabel('sso', 'appSecret'), t(provider.appSecret.set ? 'secretSet' : 'secretNone')],
          [fieldLabel('sso', 'signUp'), provider.signUp ? roleWords(provider.roleKey) : t('nobodyNew')],
        ]}
      />
      <div className={classes.callback}>
        <span>{t('callback')}</span>
        <CopyField value={provider.callbackUrl} label={t('copyCallback')} />
      </div>
    </Section>
  )
}

function ProviderForm({ id, close }: { id: string | null; close: () => void }) {
  const t = useT()
  const roles = useRead(users.roles, {}).data?.data ?? []
  const form = useResourceForm(sso, { id, onDone: close })
  return (
    <FormDrawer form={{ ...form, close }} size={520}>
      <TextField name="name" />
      {id === null && <TextField name="key" ltr />}
      <TextField name="issuer" ltr />
      <TextField name="appKey" ltr />
      <SecretField name="appSecret" />
      <TextField name="scopes" ltr />
      <SwitchField name="signUp" />
      <SelectField
        name="roleKey"
        options={roles.map(({ key, name }) => ({ value: key, label: roleWords(key, name) }))}
      />
      <SwitchField name="enabled" />
      {id === null && <p className={classes.hint}>{t('callbackLater')}</p>}
    </FormDrawer>
  )
}

/** What a role is called: the built-in ones in the reader's language, others as they were named. */
function roleWords(key: string, name: string = key): string {
  return firstText([`users:options.role.${key}`]) ?? name
}
