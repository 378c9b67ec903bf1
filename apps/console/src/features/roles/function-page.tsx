import { Switch, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { functions } from '@weft/contract/roles/api'
import { FUNCTION_GROUPS, type FunctionEntry } from '@weft/contract/roles/schema'
import { confirm } from '../../kit/confirm/confirm.ts'
import { useChange } from '../../kit/actions/use-change.ts'
import { Page, Section } from '../../kit/page/page.tsx'
import { Load } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { Num } from '../../kit/values/values.tsx'
import { useCan } from '../../lib/can.ts'
import { text } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'
import { actionName, functionName } from './words.ts'

const TONES = { low: 'neutral', medium: 'neutral', high: 'amber' } as const

/** The catalogue of functions: what each is, what the calls ask of it, and whether it is there. */
export function FunctionPage() {
  const t = useT()
  const [q, setQ] = useState('')
  const record = useRead(functions.list, {})
  const fits = (entry: FunctionEntry) =>
    [functionName(entry.subject), text(`roles:about.${entry.subject}`), entry.subject]
      .join(' ')
      .toLowerCase()
      .includes(q.trim().toLowerCase())
  return (
    <Page title={t('functions.title')} lead={t('functions.lead')}>
      <TextInput
        type="search"
        value={q}
        onChange={(event) => setQ(event.currentTarget.value)}
        placeholder={t('functions.search')}
        aria-label={t('functions.search')}
        leftSection={<IconSearch size={16} aria-hidden />}
        maw={320}
      />
      <Load of={record}>
        {(entries) => {
          const found = entries.filter(fits)
          if (found.length === 0) return <p className={classes.none}>{t('functions.nothing')}</p>
          return FUNCTION_GROUPS.map((group) => {
            const inGroup = found.filter((entry) => entry.group === group)
            if (inGroup.length === 0) return null
            return (
              <Section key={group} title={t(`groups.${group}`)} flush>
                <ul className={classes.functions}>
                  {inGroup.map((entry) => (
                    <Row key={entry.subject} entry={entry} />
                  ))}
                </ul>
              </Section>
            )
          })
        }}
      </Load>
    </Page>
  )
}

function Row({ entry }: { entry: FunctionEntry }) {
  const t = useT()
  const may = useCan()('UPDATE', 'FUNCTION')
  const change = useChange(functions.update, {
    done: text('roles:functions.done'),
    invalidates: ['roles', 'users'],
  })
  const name = functionName(entry.subject)
  const turn = async (enabled: boolean) => {
    const sure =
      enabled ||
      (await confirm({
        title: t('functions.offTitle', { name }),
        text: t('functions.offText'),
        confirmLabel: t('functions.offTitle', { name }),
      }))
    if (sure) change.mutate({ subject: entry.subject, enabled })
  }
  return (
    <li className={classes.function} data-off={!entry.enabled || undefined}>
      <div className={classes.functionText}>
        <strong>{name}</strong>
        <span>{t(`about.${entry.subject}`)}</span>
        <span className={classes.functionActions}>
          {entry.actions.length > 0
            ? entry.actions.map(actionName).join(t('words.separator'))
            : t('functions.none')}
        </span>
      </div>
      <span className={classes.functionCalls}>
        <span className={classes.none}>{t('functions.calls')}</span> <Num value={entry.calls} />
      </span>
      <span className={classes.functionRisk}>
        <span className="unseen">{t('functions.risk')}: </span>
        <StatusBadge value={entry.risk} feature="roles" field="risk" tones={TONES} />
      </span>
      <Switch
        checked={entry.enabled}
        onChange={(event) => void turn(event.currentTarget.checked)}
        disabled={!may || entry.fixed || change.isPending}
        aria-label={t('functions.turn', { name })}
      />
    </li>
  )
}
