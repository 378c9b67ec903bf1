import { ActionIcon, TextInput } from '@mantine/core'
import { IconArrowLeft, IconArrowRight, IconPlus, IconRefresh, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { useT } from './text.ts'
import classes from './live-browser.module.css'

/** More tabs than this are shown by no button of their own. */
const TABS_MOST = 9

/** Back, forward, reload and the address of the page. Left to right in every language, as addresses are. */
export function AddressBar({
  meta,
  act,
}: {
  meta: FrameMeta | null
  act: ((event: AttendInput) => void) | null
}) {
  const t = useT()
  const tabs = meta?.tabs ?? 0
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
      {button(t('back'), IconArrowLeft, { type: 'go', to: 'back' })}
      {button(t('forward'), IconArrowRight, { type: 'go', to: 'forward' })}
      {button(t('reload'), IconRefresh, { type: 'go', to: 'reload' })}
      <TextInput
        className={classes.address}
        aria-label={t('address')}
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
      {tabs > 1 && button(t('closeTab'), IconX, { type: 'closeTab' })}
      {tabs > 1 && (
        <div className={classes.tabs}>
          {Array.from({ length: Math.min(tabs, TABS_MOST) }, (_, index) => (
            <ActionIcon
              key={index}
              variant={index === meta?.tab ? 'light' : 'subtle'}
              color={index === meta?.tab ? undefined : 'gray'}
              disabled={!act}
              aria-label={t('tab', { number: index + 1 })}
              aria-pressed={index === meta?.tab}
              onClick={() => act?.({ type: 'tab', index })}
            >
              {index + 1}
            </ActionIcon>
          ))}
        </div>
      )}
      {button(t('newTab'), IconPlus, { type: 'newTab' })}
    </form>
  )
}
