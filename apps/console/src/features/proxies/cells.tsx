import { Loader } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { PROXY_SUCCESS_GOOD, PROXY_SUCCESS_MIXED, type Proxy } from '@weft/contract/proxies/schema'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import { minuteClock } from '../../kit/values/clock.ts'
import { Dash, Ltr, Time } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'
import { optionLabel } from '../../lib/i18n/names.ts'
import { countryName } from '../../lib/countries.ts'
import { expiryOf } from './expiry.ts'
import { latencyTone } from './latency.ts'
import { proxyName } from './place.ts'
import { useT } from './text.ts'
import classes from './proxies.module.css'

/** Where the proxy is, and as whom it is used. */
export function Info({ proxy }: { proxy: Proxy }) {
  const t = useT()
  return (
    <span className={classes.info}>
      <Ltr>{proxyName(proxy)}</Ltr>
      {proxy.username !== null && (
        <span className={classes.user}>
          <bdi>{proxy.username}</bdi>
          {proxy.password.set && <IconLock size={12} aria-label={t('passwordSet')} />}
        </span>
      )}
    </span>
  )
}

/** The status and why it is that; with `whole` also when it is tried again. */
export function State({ proxy, whole }: { proxy: Proxy; whole?: boolean }) {
  const { status, lastError, retryAt } = proxy
  const reason = lastError === null ? null : optionLabel('proxies', 'lastError', lastError)
  return (
    <span className={classes.two}>
      <StatusBadge value={status} feature="proxies" />
      {reason !== null && status !== 'disabled' && (
        <span className={classes.second} title={reason}>
          {reason}
          {whole && retryAt !== null && <Again at={retryAt} />}
        </span>
      )}
    </span>
  )
}

/** When it is tried again; what is due waits a minute at most. */
function Again({ at }: { at: string }) {
  const t = useT()
  const now = useSyncExternalStore(minuteClock.subscribe, minuteClock.get)
  if (Date.parse(at) <= now) return ` · ${t('againSoon')}`
  return (
    <>
      {' · '}
      {t('again')} <Time at={at} />
    </>
  )
}

/** How long the last answer took, in its tone. */
export function Latency({ ms }: { ms: number | null }) {
  const formats = useFormats()
  if (ms === null) return <Dash />
  return (
    <span className={`numbers ${classes.latency}`} data-tone={latencyTone(ms)}>
      {formats.duration(ms)}
    </span>
  )
}

/** How many of its checks of the last day went well, in its tone. */
export function Success({ ratio }: { ratio: number | null }) {
  const formats = useFormats()
  if (ratio === null) return <Dash />
  const tone = ratio >= PROXY_SUCCESS_GOOD ? 'green' : ratio >= PROXY_SUCCESS_MIXED ? 'amber' : 'red'
  return (
    <span className={`numbers ${classes.latency}`} data-tone={tone}>
      {formats.percent(ratio)}
    </span>
  )
}

/** When it was checked last; one that is being checked says so. */
export function Checked({ proxy }: { proxy: Proxy }) {
  const t = useT()
  if (!proxy.checking) return <Time at={proxy.checkedAt} />
  return (
    <span className={classes.checking}>
      <Loader size={12} aria-hidden />
      {t('checking')}
    </span>
  )
}

/** The country of the exit address, and the city that a person wrote. */
export function Place({ country, city }: Pick<Proxy, 'country' | 'city'>) {
  if (country === null && city === null) return <Dash />
  return (
    <span>
      {country !== null && <bdi>{countryName(country)}</bdi>}
      {country !== null && city !== null && ' · '}
      {city !== null && <bdi>{city}</bdi>}
    </span>
  )
}

/** When it ends, marked while that is near or past. */
export function Expiry({ at }: { at: string | null }) {
  const t = useT()
  const now = useSyncExternalStore(minuteClock.subscribe, minuteClock.get)
  const expiry = expiryOf(at, now)
  if (expiry === 'never') return <Dash />
  return (
    <span className={classes.expiry} data-tone={TONES[expiry]}>
      {expiry === 'expired' ? `${t('options.expiry.expired')} · ` : ''}
      <Time at={at} />
    </span>
  )
}
const TONES = { expired: 'red', soon: 'amber', later: undefined }

/** What it costs a month. */
export function Cost({ costPerMonth, currency }: Pick<Proxy, 'costPerMonth' | 'currency'>) {
  const formats = useFormats()
  if (costPerMonth === null) return <Dash />
  return (
    <span className="numbers">
      <Ltr>{`${formats.number(costPerMonth, 2)} ${currency ?? ''}`.trim()}</Ltr>
    </span>
  )
}
