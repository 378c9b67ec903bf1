import { useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { Dash, CopyIcon } from './values.tsx'
import classes from './key-value.module.css'

const OPEN_DEPTH = 2
const LONG_TEXT = 400
const SHOWN_ITEMS = 100

/** Any JSON as names and values: objects and lists open and close, long texts are shortened until asked for. */
export function KeyValue({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || value === undefined || value === '') return <Dash />
  if (typeof value === 'string') return <LongText words={value} />
  if (typeof value !== 'object') return <code className={classes.scalar}>{JSON.stringify(value)}</code>
  return <Entries value={value} depth={depth} />
}

function Entries({ value, depth }: { value: object; depth: number }) {
  const t = useKitText()
  const [all, setAll] = useState(false)
  const entries = Object.entries(value)
  if (entries.length === 0) return <span className={classes.empty}>{t('common.empty')}</span>
  const shown = all ? entries : entries.slice(0, SHOWN_ITEMS)
  return (
    <ul className={classes.list}>
      {shown.map(([name, inner]: [string, unknown]) => (
        <li key={name} className={classes.entry} data-nested={isNested(inner) || undefined}>
          {isNested(inner) ? (
            <details open={depth < OPEN_DEPTH - 1}>
              <summary>
                <span className={classes.name}>{name}</span>
                <span className={classes.size}>{sizeOf(inner)}</span>
              </summary>
              <KeyValue value={inner} depth={depth + 1} />
            </details>
          ) : (
            <>
              <span className={classes.name}>{name}</span>
              <div className={classes.value}>
                <KeyValue value={inner} depth={depth + 1} />
              </div>
            </>
          )}
        </li>
      ))}
      {entries.length > shown.length && (
        <li>
          <button type="button" className={classes.more} onClick={() => setAll(true)}>
            {t('common.more')} ({entries.length - shown.length})
          </button>
        </li>
      )}
    </ul>
  )
}

function isNested(value: unknown): value is object {
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0
}

function sizeOf(value: object): string {
  const size = Object.keys(value).length
  return Array.isArray(value) ? `[${size}]` : `{${size}}`
}

function LongText({ words }: { words: string }) {
  const t = useKitText()
  const [all, setAll] = useState(false)
  const long = words.length > LONG_TEXT
  return (
    <span className={classes.text}>
      <bdi>{long && !all ? `${words.slice(0, LONG_TEXT)}…` : words}</bdi>
      {long && (
        <button type="button" className={classes.more} onClick={() => setAll(!all)}>
          {all ? t('common.less') : t('common.more')}
        </button>
      )}
      {words.length > 12 && <CopyIcon value={words} />}
    </span>
  )
}
