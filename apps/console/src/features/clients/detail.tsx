import { clients } from '@weft/contract/clients/api'
import type { Client } from '@weft/contract/clients/schema'
import { Alert, Stack } from '@mantine/core'
import { NumberField } from '../../kit/fields/number.tsx'
import { TagsField } from '../../kit/fields/tags.tsx'
import { TextField, TextareaField } from '../../kit/fields/text.tsx'
import { FormBody } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { Facts, Section } from '../../kit/page/page.tsx'
import { Bytes, Code, Dash, Ltr, Num, Time } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { fieldLabel } from '../../lib/i18n/names.ts'
import classes from './clients.module.css'
import { ClientLoadHistory } from './load.tsx'
import { ClientSlots } from './slots.tsx'
import { useT } from './text.ts'

const label = (name: string) => fieldLabel('clients', name)
const MEGABYTE = 1_000_000

/** What is known of a machine. */
export function ClientOverview({ client }: { client: Client }) {
  const t = useT()
  const formats = useFormats()
  return (
    <Stack gap={16}>
      {client.admin === 'paused' && (
        <Alert color="yellow">
          {client.pausedUntil
            ? t('pausedUntil', { time: formats.dateTime(client.pausedUntil) })
            : t('pausedOpen')}
          {client.adminNote && (
            <>
              {' · '}
              <bdi>{client.adminNote}</bdi>
            </>
          )}
        </Alert>
      )}
      {client.refusing && <Alert color="yellow">{t('work.refusing', { reason: client.refusing })}</Alert>}
      <Section title={t('sections.load')}>
        <Facts
          rows={[
            [label('thread'), <Num key="thread" value={client.thread} />],
            [label('remaining'), <Num key="remaining" value={client.remaining} />],
            [label('userIns'), <Num key="userIns" value={client.userIns} />],
            [label('cpu'), <Num key="cpu" value={client.cpu} digits={1} />],
            [label('mem'), <Num key="mem" value={client.mem} />],
            [
              label('diskFree'),
              <Bytes key="disk" n={client.diskFreeMb === null ? null : client.diskFreeMb * MEGABYTE} />,
            ],
          ]}
        />
      </Section>
      <ClientSlots client={client} />
      <ClientLoadHistory id={client.id} />
      <Section title={t('sections.machine')}>
        <Facts
          rows={[
            [
              label('clientKey'),
              <Code key="key" copy>
                {client.clientKey}
              </Code>,
            ],
            [label('os'), <bdi key="os">{client.os}</bdi>],
            [label('arch'), <Ltr key="arch">{client.arch}</Ltr>],
            [
              label('localIp'),
              client.localIp ? <Ltr key="localIp">{client.localIp}</Ltr> : <Dash key="localIp" />,
            ],
            [
              label('publicIp'),
              client.publicIp ? <Ltr key="publicIp">{client.publicIp}</Ltr> : <Dash key="publicIp" />,
            ],
            [
              label('agentVersion'),
              client.agentVersion ? (
                <Ltr key="agentVersion">{client.agentVersion}</Ltr>
              ) : (
                <Dash key="agentVersion" />
              ),
            ],
            [
              label('browsers'),
              client.browsers.length > 0 ? (
                <Ltr key="browsers">
                  {client.browsers.map(({ type, version }) => `${type} ${version}`).join(', ')}
                </Ltr>
              ) : (
                <Dash key="browsers" />
              ),
            ],
            [label('lastSeenAt'), <Time key="seen" at={client.lastSeenAt} />],
            [t('joinedAt'), <Time key="joined" at={client.createdAt} exact />],
          ]}
        />
      </Section>
    </Stack>
  )
}

/** Changes what people may say of a client. */
export function ClientSettings({ id }: { id: string }) {
  const t = useT()
  const form = useResourceForm({ get: clients.get, update: clients.update }, { id, onDone: () => {} })
  return (
    <Section title={t('sections.settings')}>
      <div className={classes.narrow}>
        <FormBody form={form} cancel={false}>
          <TextField name="name" />
          <NumberField name="thread" />
          <TagsField name="labels" ltr />
          <TagsField name="tags" from={clients.tags} />
          <TextareaField name="notes" />
        </FormBody>
      </div>
    </Section>
  )
}
