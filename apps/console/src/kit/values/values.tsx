import { ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { minuteClock } from './clock.ts'
import { copyText } from './copy.ts'
import classes from './values.module.css'

/** A moment: relative, with the exact time and its zone on hover; `exact` shows date and time at once. */
export function Time({ at, exact }: { at: string | null | undefined; exact?: boolean }) {
  const formats = useFormats()
  const now = useSyncExternalStore(minuteClock.subscribe, minuteClock.get)
  if (!at) return <Dash />
  return (
    // The browser's own tooltip: a table of a hundred rows has hundreds of these.
    <time dateTime={at} title={formats.exact(at)} className={classes.time}>
      {exact ? formats.dateTime(at) : formats.relative(at, now)}
    </time>
  )
}

/** A length of time. */
export function Duration({ ms }: { ms: number | null | undefined }) {
  const formats = useFormats()
  return ms === null || ms === undefined ? <Dash /> : <span className="numbers">{formats.duration(ms)}</span>
}

/** How long something has run: counts while it does. */
export function Elapsed({ from, to }: { from: string | null; to: string | null }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!from || to) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [from, to])
  if (!from) return <Dash />
  const ms = Math.max(0, (to ? Date.parse(to) : now) - Date.parse(from))
  return <Duration ms={to ? ms : Math.floor(ms / 1000) * 1000} />
}

/** A size in bytes. */
export function Bytes({ n }: { n: number | null | undefined }) {
  const formats = useFormats()
  return n === null || n === undefined ? <Dash /> : <span className="numbers">{formats.bytes(n)}</span>
}

/** A number as the language writes it, with even digits. */
export function Num({ value, digits }: { value: number | null | undefined; digits?: number }) {
  const formats = useFormats()
  if (value === null || value === undefined) return <Dash />
  return <span className="numbers">{formats.number(value, digits)}</span>
}

/** What stands where there is nothing. */
export function Dash() {
  const t = useKitText()
  return (
    <span className={classes.dash}>
      <span aria-hidden>–</span>
      <span className="unseen">{t('common.none')}</span>
    </span>
  )
}

/** Text that stays left-to-right inside right-to-left text: ids, e-mails, phone numbers, paths. */
export function Ltr({ children }: { children: ReactNode }) {
  return <bdi className="ltr">{children}</bdi>
}

/** A machine's word: monospaced, left-to-right, with a button that copies it. */
export function Code({ children, copy }: { children: string; copy?: boolean }) {
  return (
    <span className={classes.codeWrap}>
      <code className={classes.code}>{children}</code>
      {copy && <CopyIcon value={children} />}
    </span>
  )
}

/** A small button that copies a text. */
export function CopyIcon({ value, label }: { value: string; label?: string }) {
  const t = useKitText()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return undefined
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const words = copied ? t('common.copied') : (label ?? t('common.copy'))
  return (
    <ActionIcon
      size={24}
      aria-label={words}
      title={words}
      onClick={(event) => {
        event.stopPropagation()
        void copyText(value).then(setCopied)
      }}
    >
      {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
    </ActionIcon>
  )
}

/** A value in a box with a copy button, such as a command line to run elsewhere. */
export function CopyField({ value, label }: { value: string; label?: string }) {
  return (
    <div className={classes.copyField}>
      <code className={classes.copyText}>{value}</code>
      <CopyIcon value={value} {...(label ? { label } : {})} />
    </div>
  )
}
