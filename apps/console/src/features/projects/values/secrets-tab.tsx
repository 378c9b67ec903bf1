import { Button, PasswordInput, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { projects } from '@weft/contract/projects/api'
import type { Project } from '@weft/contract/projects/schema'
import { valueName, type ProjectSecret } from '@weft/contract/projects/values'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { Empty, LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { Code, Dash, Time } from '../../../kit/values/values.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { Dialog } from './dialog.tsx'
import { Rows } from './rows.tsx'

/** Which secrets a project has; their values are written here and read by runs alone. */
export function SecretsTab({ project, locked }: { project: Project; locked: boolean }) {
  const t = useT()
  const { id } = project
  const secrets = useRead(projects.secrets, { id })
  const [open, setOpen] = useState<ProjectSecret | 'new' | null>(null)
  const drop = useChange(projects.removeSecret, {
    done: text('kit:toasts.deleted'),
    invalidates: ['workflows'],
  })
  const may = project.can.includes('update') && !locked
  const remove = async ({ name }: ProjectSecret) => {
    if (await confirm({ name, text: t('values.removeSecret'), danger: true })) drop.mutate({ id, name })
  }
  const add = may ? (
    <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
      {t('values.addSecret')}
    </Button>
  ) : null
  return (
    <Load of={secrets} part skeleton={<LinesSkeleton lines={4} />}>
      {(list) => (
        <Section title={t('values.secrets')} aside={list.length > 0 ? add : null}>
          {list.length === 0 ? (
            <Empty title={t('values.noSecrets')} text={t('values.neverShown')} action={add} />
          ) : (
            <>
              <Text fz="sm" c="dimmed" mb={8}>
                {t('values.neverShown')}
              </Text>
              <Rows
                label={t('values.secrets')}
                heads={[
                  t('values.name'),
                  t('values.description'),
                  t('values.changed'),
                  t('values.changedBy'),
                ]}
                rows={list}
                keyOf={({ name }) => name}
                cells={(secret) => [
                  <Code key="name">{`secrets.${secret.name}`}</Code>,
                  <bdi key="description">{secret.description}</bdi>,
                  <Time key="time" at={secret.updatedAt} />,
                  secret.updatedByName === null ? (
                    <Dash key="by" />
                  ) : (
                    <bdi key="by">{secret.updatedByName}</bdi>
                  ),
                ]}
                edit={may ? setOpen : undefined}
                remove={may ? (secret) => void remove(secret) : undefined}
              />
            </>
          )}
          {open !== null && (
            <SecretDialog
              projectId={id}
              secret={open === 'new' ? null : open}
              taken={list.map(({ name }) => name)}
              close={() => setOpen(null)}
            />
          )}
        </Section>
      )}
    </Load>
  )
}

function SecretDialog(props: {
  projectId: string
  secret: ProjectSecret | null
  taken: readonly string[]
  close: () => void
}) {
  const t = useT()
  const { secret } = props
  const [name, setName] = useState(secret?.name ?? '')
  const [value, setValue] = useState('')
  const [description, setDescription] = useState(secret?.description ?? '')
  const [tried, setTried] = useState(false)
  const change = useChange(projects.setSecret, {
    done: text('kit:toasts.updated'),
    onDone: props.close,
    invalidates: ['workflows'],
  })
  const wrongName = !valueName.safeParse(name).success
    ? t('values.badName')
    : secret === null && props.taken.includes(name.trim())
      ? t('values.taken')
      : null
  const wrongValue = secret === null && value === '' ? text('errors:fields.required') : null
  const submit = () => {
    setTried(true)
    if (wrongName !== null || wrongValue !== null) return
    change.mutate({
      id: props.projectId,
      name: name.trim(),
      description,
      ...(value === '' ? {} : { value }),
    })
  }
  return (
    <Dialog
      title={secret ? t('values.editSecret') : t('values.addSecret')}
      busy={change.isPending}
      submit={submit}
      close={props.close}
    >
      <TextInput
        label={t('values.name')}
        description={t('values.nameHelp', { example: `secrets.${name === '' ? 'API_KEY' : name}` })}
        dir="ltr"
        required
        disabled={secret !== null}
        autoComplete="off"
        maxLength={64}
        value={name}
        error={tried ? wrongName : null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label={t('values.value')}
        dir="ltr"
        required={secret === null}
        autoComplete="new-password"
        placeholder={secret ? text('kit:form.secretKeep') : ''}
        visibilityToggleButtonProps={{ 'aria-label': text('kit:form.secretShow') }}
        value={value}
        error={tried ? wrongValue : null}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <TextInput
        label={t('values.description')}
        maxLength={500}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </Dialog>
  )
}
