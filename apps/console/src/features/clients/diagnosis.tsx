import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconRefresh,
} from '@tabler/icons-react'
import { clients } from '@weft/contract/clients/api'
import type { Diagnosis } from '@weft/contract/clients/schema'
import { Section } from '../../kit/page/page.tsx'
import { Load } from '../../kit/states/states.tsx'
import { useFormats } from '../../lib/formats.ts'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useRead } from '../../lib/query.ts'
import classes from './clients.module.css'
import { useT } from './text.ts'

const ICONS = {
  good: IconCircleCheck,
  notice: IconAlertTriangle,
  bad: IconCircleX,
  unknown: IconCircleDashed,
} as const
const TONES = { good: 'green', notice: 'amber', bad: 'red', unknown: 'neutral' } as const
const MEGABYTE = 1_000_000

/** What may keep a client from doing its work, looked at one by one. */
export function ClientDiagnosis({ id }: { id: string }) {
  const t = useT()
  const found = useRead(clients.diagnose, { id }, { keep: true })
  return (
    <Section
      title={t('diagnosis.title')}
      flush
      aside={
        <Button
          size="compact-sm"
          variant="subtle"
          loading={found.isFetching}
          leftSection={<IconRefresh size={14} aria-hidden />}
          onClick={() => void found.refetch()}
        >
          {t('diagnosis.again')}
        </Button>
      }
    >
      <Load of={found} part>
        {(list) => (
          <ul className={classes.slots}>
            {list.map((one) => (
              <Finding key={one.id} found={one} />
            ))}
          </ul>
        )}
      </Load>
    </Section>
  )
}

function Finding({ found }: { found: Diagnosis }) {
  const t = useT()
  const Icon = ICONS[found.state]
  return (
    <li className={classes.finding} data-tone={TONES[found.state]}>
      <Icon size={18} className={classes.findingIcon} aria-hidden />
      <span className={classes.findingName}>{t(`diagnosis.checks.${found.id}`)}</span>
      <span>
        <Words found={found} />
      </span>
      <span className="unseen">{t(`diagnosis.states.${found.state}`)}</span>
    </li>
  )
}

/** What was found, in words. */
function Words({ found: { id, state, params } }: { found: Diagnosis }) {
  const t = useT()
  const formats = useFormats()
  const value = (name: string) => params[name] ?? ''
  const count = (name: string) => Number(params[name] ?? 0)
  switch (id) {
    case 'connection':
      return optionLabel('clients', 'connection', String(value('connection')))
    case 'admin':
      return (
        <>
          {optionLabel('clients', 'admin', String(value('admin')))}
          {params['note'] && (
            <>
              {' · '}
              <bdi>{value('note')}</bdi>
            </>
          )}
        </>
      )
    case 'refusing':
      return state === 'good' ? t('diagnosis.takesWork') : t('work.refusing', { reason: value('reason') })
    case 'version':
      if (state === 'unknown') return t('diagnosis.unknown')
      return state === 'good'
        ? t('diagnosis.version', { agent: value('agent') })
        : t('diagnosis.otherVersion', { agent: value('agent'), server: value('server') })
    case 'browsers':
      return t('diagnosis.browsers', { count: count('count') })
    case 'disk':
      return state === 'unknown'
        ? t('diagnosis.unknown')
        : t('diagnosis.disk', { free: formats.bytes(count('megabytes') * MEGABYTE) })
    case 'slots':
      return t('work.busy', { busy: count('busy'), slots: count('slots') })
    default:
      if (state === 'unknown') return t('diagnosis.noRuns')
      return (
        <>
          {t('diagnosis.failures', { failed: count('failed'), finished: count('finished') })}
          {params['error'] && count('failed') > 0 && (
            <>
              {' · '}
              <bdi className="ltr">{value('error')}</bdi>
            </>
          )}
        </>
      )
  }
}
