import { Button, PasswordInput } from '@mantine/core'
import { useState } from 'react'
import type { AttendInput } from '@weft/contract/attended-runs/schema'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useT } from './text.ts'
import classes from './live-browser.module.css'

/** A field to write or paste into, for phones and whoever prefers it; sent as a whole to where the page's cursor stands. */
export function WriteField({ act }: { act: (event: AttendInput) => void }) {
  const t = useT()
  const kit = useKitText()
  const [text, setText] = useState('')
  return (
    <form
      className={classes.write}
      onSubmit={(event) => {
        event.preventDefault()
        if (text === '') return
        act({ type: 'text', text })
        setText('')
      }}
    >
      <PasswordInput
        className={classes.writeInput}
        aria-label={t('write')}
        placeholder={t('write')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        maxLength={10_000}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': kit('form.secretShow') }}
      />
      <Button type="submit" variant="default" disabled={text === ''}>
        {t('send')}
      </Button>
    </form>
  )
}
