import { Alert, Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { mail } from '@weft/contract/access/mail/api'
import type { MailServer } from '@weft/contract/access/mail/schema'
import { useChange } from '../../kit/actions/use-change.ts'
import { SegmentField } from '../../kit/fields/choice.tsx'
import { NumberField } from '../../kit/fields/number.tsx'
import { SecretField, TextField } from '../../kit/fields/text.tsx'
import { FieldRow, FormBody } from '../../kit/form/form.tsx'
import { useCallForm } from '../../kit/form/use-resource-form.ts'
import { Section } from '../../kit/page/page.tsx'
import { Load } from '../../kit/states/states.tsx'
import { text } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'
import classes from './mail.module.css'

/** After a save the form stays where it is. */
const stay = () => {}

/** Every part may be left empty: without a host there is no server. */
const OPTIONAL = mail.saveServer.input.partial()

/** The server that mail goes out by, and a mail to try it. */
export function MailServerTab() {
  const record = useRead(mail.server, {})
  return (
    <Load of={record}>
      {(server) => (
        <div className={classes.stack}>
          <ServerForm key={JSON.stringify(server)} server={server} />
          <TryMail ready={server.host !== ''} />
        </div>
      )}
    </Load>
  )
}

function ServerForm({ server }: { server: MailServer }) {
  const t = useT()
  const { password: _password, ...initial } = server
  const form = useCallForm(mail.saveServer, { initial, done: t('saved'), onDone: stay })
  return (
    <Section title={t('server')}>
      <div className={classes.form}>
        {server.host === '' && <Alert color="gray">{t('noServer')}</Alert>}
        <FormBody
          form={{ ...form, record: server, infoSchema: OPTIONAL }}
          cancel={false}
          submitLabel={text('kit:common.save')}
        >
          <FieldRow>
            <TextField name="host" ltr />
            <NumberField name="port" />
          </FieldRow>
          <SegmentField name="security" />
          <FieldRow>
            <TextField name="username" ltr />
            <SecretField name="password" />
          </FieldRow>
          <FieldRow>
            <TextField name="from" ltr />
            <TextField name="fromName" />
          </FieldRow>
        </FormBody>
      </div>
    </Section>
  )
}

/** Sends a mail at once and says what the server answered. */
function TryMail({ ready }: { ready: boolean }) {
  const t = useT()
  const [to, setTo] = useState('')
  const send = useChange(mail.test)
  const answer = send.data
  return (
    <Section title={t('try.title')}>
      <form
        className={classes.try}
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate({ to })
        }}
      >
        <TextInput
          type="email"
          required
          label={t('try.to')}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
          disabled={!ready}
          className={classes.to ?? ''}
          dir="ltr"
        />
        <Button type="submit" variant="default" loading={send.isPending} disabled={!ready}>
          {t('try.send')}
        </Button>
      </form>
      {!ready && <p className={classes.hint}>{t('try.noServer')}</p>}
      {answer && !send.isPending && (
        <output className={classes.answer}>
          <Alert color={answer.accepted ? 'green' : 'red'}>
            {answer.accepted ? t('try.accepted') : t('try.refused')}
            {answer.reason && <bdi className={classes.reason}>{answer.reason}</bdi>}
          </Alert>
        </output>
      )}
    </Section>
  )
}
