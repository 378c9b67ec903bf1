import { Anchor, Drawer } from '@mantine/core'
import { useCallback } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams } from 'react-router'
import { questions } from '@weft/contract/questions/api'
import type { Asked } from '@weft/contract/questions/schema'
import { Facts } from '../../kit/page/page.tsx'
import { Load } from '../../kit/states/states.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { Time } from '../../kit/values/values.tsx'
import { call } from '../../lib/api.ts'
import { useRead } from '../../lib/query.ts'
import { BlobImage } from '../runs/files/blob-image.tsx'
import { AnswerForm } from './answer-form.tsx'
import { STATE_TONES } from './columns.tsx'
import classes from './questions.module.css'
import { useT } from './text.ts'

/** One question in a drawer: what is asked and by whom, the form, or what was answered. */
export function QuestionDrawer() {
  const t = useT()
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const { search } = useLocation()
  const close = useCallback(() => void navigate({ pathname: '..', search }), [navigate, search])
  const question = useRead(questions.get, { id })
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={520}
      title={t('oneTitle')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Load of={question} part>
        {(asked) => <Body asked={asked} onDone={close} />}
      </Load>
    </Drawer>
  )
}

function Body({ asked, onDone }: { asked: Asked; onDone: () => void }) {
  const t = useT()
  const { title, text, state, answers, fields, pictureId } = asked
  return (
    <div className={classes.body}>
      <h2 className={classes.title} dir="auto">
        {title}
      </h2>
      {text !== '' && (
        <p className={classes.text} dir="auto">
          {text}
        </p>
      )}
      {pictureId !== null && <Picture id={asked.id} />}
      {asked.can.includes('answer') ? (
        <AnswerForm question={asked} onDone={onDone} />
      ) : (
        <p>{t(`closed.${state === 'open' ? 'withdrawn' : state}`, { name: asked.answeredByName ?? '' })}</p>
      )}
      {answers && (
        <Facts
          rows={fields.map(({ name, label }) => [label === '' ? name : label, valueText(answers[name], t)])}
        />
      )}
      <Facts
        rows={[
          [
            t('fields.state'),
            <StatusBadge key="state" feature="questions" field="state" value={state} tones={STATE_TONES} />,
          ],
          [t('fields.campaignTitle'), <Origin key="origin" asked={asked} />],
          [t('fields.workflowName'), <bdi key="workflow">{asked.workflowName}</bdi>],
          [
            t('fields.accountName'),
            asked.accountName === null ? '–' : <bdi key="account">{asked.accountName}</bdi>,
          ],
          [t('fields.since'), <Time key="since" at={asked.since} />],
          [t('fields.dueAt'), <Time key="due" at={asked.dueAt} />],
          ...(asked.endedAt === null
            ? []
            : [[t('fields.endedAt'), <Time key="ended" at={asked.endedAt} />] as const]),
        ]}
      />
    </div>
  )
}

function Origin({ asked: { campaignId, campaignTitle, runId } }: { asked: Asked }) {
  const t = useT()
  return campaignId === null ? (
    <Anchor component={Link} to={`/cms/run/info/${runId}`} size="sm">
      {t('testRun')}
    </Anchor>
  ) : (
    <Anchor component={Link} to={`/cms/campaign/info/${campaignId}`} size="sm">
      <bdi>{campaignTitle}</bdi>
    </Anchor>
  )
}

function valueText(value: unknown, t: ReturnType<typeof useT>): string {
  if (value === true) return t('yes')
  if (value === false) return t('no')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '–'
}

/** The page as it stood when the question was asked. */
function Picture({ id }: { id: string }) {
  const t = useT()
  const { data } = useQuery({
    queryKey: ['question picture', id],
    queryFn: async ({ signal }) => (await call(questions.picture, { id }, { signal })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ? (
    <div className={classes.picture}>
      <BlobImage blob={data} alt={t('picture')} />
    </div>
  ) : null
}
