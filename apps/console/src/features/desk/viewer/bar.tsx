import { ActionIcon, TextInput } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconRefresh, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { useT } from '../text.ts'
import classes from './viewer.module.css'

/** Back, forward, reload and the address of the page. Left to right in every language, as addresses are. */
export function AddressBar({
  meta,
  act,
}: {
  meta: FrameMeta | null
  act: ((event: AttendInput) => void) | null
}) {
  const t = useT()
  const [typed, setTyped] = useState<string | null>(null)
  const button = (label: string, Icon: typeof IconX, event: AttendInput) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      disabled={!act}
      aria-label={label}
      onClick={() => act?.(event)}
    >
      <Icon size={18} stroke={1.8} aria-hidden />
    </ActionIcon>
  )
  return (
    <form
      className={classes.bar}
      dir="ltr"
      onSubmit={(event) => {
        event.preventDefault()
        if (typed?.trim()) act?.({ type: 'open', address: typed.trim() })
        setTyped(null)
      }}
    >
      {button(t('viewer.back'), IconArrowLeft, { type: 'go', to: 'back' })}
      {button(t('viewer.forward'), IconArrowRight, { type: 'go', to: 'forward' })}
      {button(t('viewer.reload'), IconRefresh, { type: 'go', to: 'reload' })}
      <TextInput
        className={classes.address}
        aria-label={t('viewer.address')}
        value={typed ?? meta?.url ?? ''}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => setTyped(null)}
        readOnly={!act}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2000}
      />
      {(meta?.tabs ?? 0) > 1 && button(t('viewer.closeTab'), IconX, { type: 'closeTab' })}
    </form>
  )
}
