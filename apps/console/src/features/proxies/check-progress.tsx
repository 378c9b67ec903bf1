import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { proxies } from '@weft/contract/proxies/api'
import { useMayCall } from '../../kit/actions/use-may-call.ts'
import { ProgressBar } from '../../kit/progress/progress.tsx'
import { Time } from '../../kit/values/values.tsx'
import { useRead } from '../../lib/query.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useT } from './text.ts'
import classes from './proxies.module.css'

/** What was over before the page was opened is no news, unless it is of the last minutes. */
const NEWS_MS = 5 * 60_000
const POLL_MS = 1000

/** How far the check that this person asked for last has come; it is found again after a reload. */
export function CheckProgress() {
  const t = useT()
  const kit = useKitText()
  // Who may not check has asked for none.
  const may = useMayCall()(proxies.checking)
  const { data: check, dataUpdatedAt } = useRead(proxies.checking, {}, { enabled: may })
  const running = check?.finishedAt === null
  // The same read, asked again and again while there is something to see.
  useRead(proxies.checking, {}, { enabled: running, ...(running ? { every: POLL_MS } : {}) })
  const [closed, setClosed] = useState<string | null>(null)
  const [openedAt] = useState(() => Date.now())
  if (!check || check.id === closed || check.total < 2) return null
  if (check.finishedAt !== null && Date.parse(check.finishedAt) < openedAt - NEWS_MS) return null
  const passed = dataUpdatedAt - Date.parse(check.startedAt)
  const rate = passed > 2000 ? check.done / (passed / 60_000) : null
  return (
    <section className={classes.progress} aria-label={t('progress.title')}>
      <div className={classes.progressHead}>
        <strong>{running ? t('progress.running') : t('progress.finished')}</strong>
        <span className={classes.counts}>
          <span data-tone="green">{t('progress.good', { count: check.good })}</span>
          <span data-tone="red">{t('progress.bad', { count: check.bad })}</span>
          {!running && <Time at={check.finishedAt} />}
        </span>
        {!running && (
          <CloseButton size="sm" aria-label={kit('common.close')} onClick={() => setClosed(check.id)} />
        )}
      </div>
      {running && (
        <ProgressBar
          value={check.done}
          max={check.total}
          label={t('progress.title')}
          ratePerMinute={rate}
          etaSeconds={rate ? ((check.total - check.done) / rate) * 60 : null}
          segments={[
            { value: check.good, tone: 'green', label: t('progress.good', { count: check.good }) },
            { value: check.bad, tone: 'red', label: t('progress.bad', { count: check.bad }) },
          ]}
        />
      )}
    </section>
  )
}
