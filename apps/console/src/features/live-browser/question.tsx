import { Button, Group, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useT } from './text.ts'
import { useFocusBack } from './use-focus-back.ts'
import classes from './live-browser.module.css'

/** What the page asks in a window of the browser's own, which no picture shows. */
export function Question({
  dialog,
  act,
  back,
}: {
  dialog: NonNullable<FrameMeta['dialog']>
  act: ((event: AttendInput) => void) | null
  /** Gives the focus back to the page. */
  back: () => void
}) {
  const t = useT()
  const kit = useKitText()
  const [text, setText] = useState(dialog.value)
  const form = useRef<HTMLFormElement>(null)
  useFocusBack(form, back)
  const answer = (accept: boolean) =>
    act?.({ type: 'answer', accept, ...(dialog.kind === 'prompt' && accept ? { text } : {}) })
  return (
    <form
      ref={form}
      className={classes.question}
      role="alertdialog"
      aria-labelledby="live-question"
      onSubmit={(event) => {
        event.preventDefault()
        answer(true)
      }}
    >
      <p id="live-question">
        <strong>{t('asks')}</strong> <bdi>{dialog.message}</bdi>
      </p>
      {dialog.kind === 'prompt' && (
        <TextInput
          aria-label={dialog.message}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          mb={12}
          data-autofocus
        />
      )}
      <Group gap={8} justify="flex-end">
        {dialog.kind !== 'alert' && (
          <Button variant="default" disabled={!act} onClick={() => answer(false)}>
            {kit('common.cancel')}
          </Button>
        )}
        <Button type="submit" disabled={!act}>
          {t('ok')}
        </Button>
      </Group>
    </form>
  )
}
