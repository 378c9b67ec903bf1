import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { ACTIONS, SUBJECTS, type Action, type Subject } from '@weft/contract/core/permissions'
import { roles } from '@weft/contract/roles/api'
import type { Explanation } from '@weft/contract/roles/schema'
import { users } from '@weft/contract/users/api'
import { RecordPicker } from '../../kit/fields/record-picker.tsx'
import { Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { useRead } from '../../lib/query.ts'
import { roleName } from '../users/roles.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'
import { actionName, functionName, grantWords } from './words.ts'

const isId = (value: string) => z.uuid().safeParse(value).success

/** Asks whether a person may do something, and shows the rule that decided. */
export function ExplainPanel() {
  const t = useT()
  const [search] = useSearchParams()
  const [userId, setUserId] = useState<string | null>(search.get('person'))
  const [subject, setSubject] = useState<Subject | null>(null)
  const [action, setAction] = useState<Action | null>(null)
  const [record, setRecord] = useState('')
  const catalogue = useRead(roles.catalogue, {})
  const functions = catalogue.data ?? []
  const actions = functions.find((one) => one.subject === subject)?.actions ?? []
  const badRecord = record !== '' && !isId(record)
  const ready = userId !== null && subject !== null && action !== null && !badRecord
  return (
    <div className={classes.explain}>
      <Section>
        <p className={classes.lead}>{t('explain.lead')}</p>
        <div className={classes.questions}>
          <div>
            <label htmlFor="explain-person" className={classes.label}>
              {t('explain.person')}
            </label>
            <RecordPicker
              id="explain-person"
              source={{
                from: users.list,
                get: users.get,
                label: ({ displayName, username }) =>
                  displayName === username ? username : `${displayName} (${username})`,
              }}
              value={userId}
              onChange={setUserId}
            />
          </div>
          <Select
            label={t('explain.function')}
            data={functions
              .filter((one) => one.actions.length > 0)
              .map((one) => ({ value: one.subject, label: functionName(one.subject) }))}
            value={subject}
            onChange={(value) => {
              const next = SUBJECTS.find((one) => one === value) ?? null
              setSubject(next)
              const has = functions.find((one) => one.subject === next)?.actions ?? []
              if (action && !has.includes(action)) setAction(null)
            }}
            searchable
          />
          <Select
            label={t('explain.action')}
            data={actions.map((one) => ({ value: one, label: actionName(one) }))}
            value={action}
            onChange={(value) => setAction(ACTIONS.find((one) => one === value) ?? null)}
            disabled={actions.length === 0}
          />
          <TextInput
            label={t('explain.record')}
            value={record}
            onChange={(event) => setRecord(event.currentTarget.value.trim())}
            error={badRecord ? t('explain.badRecord') : null}
            dir="ltr"
          />
        </div>
      </Section>
      {ready ? (
        <Answer userId={userId} subject={subject} action={action} {...(record ? { record } : {})} />
      ) : (
        <p className={classes.none}>{t('explain.waiting')}</p>
      )}
    </div>
  )
}

function Answer(asked: { userId: string; subject: Subject; action: Action; record?: string }) {
  const answer = useRead(roles.explain, asked)
  return (
    <Section>
      <Load of={answer} part skeleton={<LinesSkeleton lines={3} />}>
        {(said) => <Said said={said} subject={asked.subject} />}
      </Load>
    </Section>
  )
}

function Said({ said, subject }: { said: Explanation; subject: Subject }) {
  const t = useT()
  const kind = said.allowed ? (said.partly ? 'partly' : 'allowed') : 'denied'
  const { decidedBy } = said
  const role = decidedBy ? roleName(decidedBy.role, decidedBy.roleName) : ''
  const words = decidedBy
    ? grantWords(subject, {
        ...(decidedBy.rule.conditions ? { conditions: decidedBy.rule.conditions } : {}),
        ...(decidedBy.rule.fields ? { fields: decidedBy.rule.fields } : {}),
      })
    : []
  return (
    <div className={classes.answer} aria-live="polite">
      <StatusBadge
        value={kind}
        text={t(`explain.${kind}`)}
        tone={kind === 'allowed' ? 'green' : kind === 'partly' ? 'amber' : 'red'}
      />
      <p>
        <bdi>{t(`explain.reasons.${said.reason}`, { role, above: said.above ?? '' })}</bdi>
      </p>
      {decidedBy && (
        <p className={classes.none}>
          {t('explain.rule')}: {words.length > 0 ? words.join(', ') : t('words.all')}
        </p>
      )}
    </div>
  )
}
