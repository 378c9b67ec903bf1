import { Anchor, Drawer, Stack } from '@mantine/core'
import { useState } from 'react'
import { mail } from '@weft/contract/access/mail/api'
import { MAIL_STATES, type Mail } from '@weft/contract/access/mail/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../kit/list/filters.tsx'
import { useResourceTable } from '../../kit/list/use-resource-table.tsx'
import { Facts } from '../../kit/page/page.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import type { Tones } from '../../kit/status/tones.ts'
import { Dash, Ltr, Num, Time } from '../../kit/values/values.tsx'
import { fieldLabel, optionLabel } from '../../lib/i18n/names.ts'
import { text } from '../../lib/i18n/texts.ts'
import { useT } from './text.ts'
import classes from './mail.module.css'

const TONES: Tones = { waiting: 'blue', sent: 'green', failed: 'red', kept: 'amber' }
const col = columnsOf<Mail>()

/** Mail that was sent, waits, or cannot be sent; each can be opened. */
export function OutboxTab() {
  const t = useT()
  const [open, setOpen] = useState<Mail | null>(null)
  const list = useResourceTable(mail.outbox, {
    columns: [
      col.cell('subject', (row) => <OpenMail mail={row} open={setOpen} />, { grow: true }),
      col.ltr('to'),
      col.option('kind'),
      col.status('state', TONES),
      col.number('attempts', { phone: false }),
      col.date('createdAt'),
      col.date('sentAt', { hidden: true }),
    ],
    openTo: () => null,
    selectable: false,
    key: 'o',
  })
  return (
    <>
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="state" options={MAIL_STATES} />
      </Filters>
      {list.table}
      <Drawer
        opened={open !== null}
        onClose={() => setOpen(null)}
        position="right"
        size={560}
        title={open?.subject}
        closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      >
        {open && (
          <Stack gap={16}>
            <Facts
              rows={[
                [fieldLabel('mail', 'to'), <Ltr key="to">{open.to}</Ltr>],
                [
                  fieldLabel('mail', 'state'),
                  <StatusBadge key="state" value={open.state} feature="mail" field="state" tones={TONES} />,
                ],
                [fieldLabel('mail', 'kind'), optionLabel('mail', 'kind', open.kind)],
                [fieldLabel('mail', 'attempts'), <Num key="attempts" value={open.attempts} />],
                [fieldLabel('mail', 'createdAt'), <Time key="created" at={open.createdAt} />],
                [
                  fieldLabel('mail', 'sentAt'),
                  open.sentAt ? <Time key="sent" at={open.sentAt} /> : <Dash key="sent" />,
                ],
              ]}
            />
            {open.lastError && <bdi className={classes.reason}>{open.lastError}</bdi>}
            {open.text === null ? (
              <p className={classes.hint}>{t('erased')}</p>
            ) : (
              <pre className={classes.text} dir="auto">
                {open.text}
              </pre>
            )}
          </Stack>
        )}
      </Drawer>
    </>
  )
}

function OpenMail({ mail: row, open }: { mail: Mail; open: (mail: Mail) => void }) {
  return (
    <Anchor component="button" type="button" inherit onClick={() => open(row)}>
      <bdi>{row.subject}</bdi>
    </Anchor>
  )
}
