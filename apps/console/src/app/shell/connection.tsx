import { UnstyledButton } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useFormats } from '../../lib/formats.ts'
import { useAppText } from '../../lib/i18n/texts.ts'
import type { SocketState } from '../../lib/realtime/machine.ts'
import { live, retryWanted } from '../../lib/realtime/state.ts'
import { Hint } from '../../kit/hint/hint.tsx'
import classes from './connection.module.css'

const TONES: Record<SocketState, string> = {
  normal: 'var(--tone-neutral-solid)',
  open: 'var(--tone-green-solid)',
  negotiate: 'var(--tone-blue-solid)',
  reconnecting: 'var(--tone-amber-solid)',
  error: 'var(--tone-red-solid)',
  disconnect: 'var(--tone-red-solid)',
  close: 'var(--tone-neutral-solid)',
}

/** The live connection as a dot, with words on hover and for those who hear the page; a click tries at once. */
export function ConnectionDot() {
  const t = useAppText()
  const { state } = useSyncExternalStore(live.subscribe, live.get)
  const words = t(`connection.${state}`)
  return (
    <Hint words={words}>
      <UnstyledButton
        className={classes.button}
        aria-label={`${t('connection.label')}: ${words}`}
        onClick={() => retryWanted.emit(null)}
      >
        <span className={classes.dot} data-state={state} style={{ '--dot': TONES[state] }} />
      </UnstyledButton>
    </Hint>
  )
}

/** Says since when what is shown may be old, once the connection has been away for a moment. */
export function ConnectionNotice() {
  const t = useAppText()
  const formats = useFormats()
  const { lostSince } = useSyncExternalStore(live.subscribe, live.get)
  if (lostSince === null) return null
  return (
    <output className={classes.notice}>
      <span>{t('connection.lostSince', { time: formats.time(new Date(lostSince)) })}</span>
      <UnstyledButton className={classes.retry} onClick={() => retryWanted.emit(null)}>
        {t('connection.retry')}
      </UnstyledButton>
    </output>
  )
}
