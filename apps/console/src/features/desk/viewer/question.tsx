import { Button, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { AttendInput, FrameMeta } from '@weft/contract/attended-runs/schema'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import classes from './viewer.module.css'

/** What the page asks in a window of the browser's own, which no picture shows. */
export function Question({
  dialog,
  act,
}: {
  dialog: NonNullable<FrameMeta['dialog']>
  act: ((event: AttendInput) => void) | null
}) {
  const t = useT()
  const kit = useKitText()
  const [text, setText] = useState(dialog.value)
  const answer = (accept: boolean) =>
    act?.({ type: 'answer', accept, ...(dialog.kind === 'prompt' && accept ? { text } : {}) })
  return (
    <form
      className={classes.question}
      role="alertdialog"
      aria-labelledby="desk-question"
      onSubmit={(event) => {
        event.preventDefault()
        answer(true)
      }}
    >
      <p id="desk-question">
        <strong>{t('viewer.asks')}</strong> <bdi>{dialog.message}</bdi>
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
          {t('viewer.ok')}
        </Button>
      </Group>
    </form>
  )
}
