import { Button, TextInput } from '@mantine/core'
import { accessRequests } from '@weft/contract/access-requests/api'
import type { Action, Subject } from '@weft/contract/core/permissions'
import { useState } from 'react'
import { toast } from '../kit/toast/toast.ts'
import { rightText } from '../kit/rights/right-text.ts'
import { call } from '../lib/api.ts'
import { isFailure, type Failure } from '../lib/failure.ts'
import { isolate } from '../lib/i18n/isolate.ts'
import { useKitText } from '../lib/i18n/texts.ts'
import { useRead } from '../lib/query.ts'
import { signedIn } from '../lib/session/session.ts'
import { clockText, useCountdown } from './auth/use-countdown.ts'
import classes from './error-page.module.css'

/** Says which right a page takes and who can give it, and asks them for it. */
export default function RequestAccess({ path }: { path: string }) {
  const t = useKitText()
  const need = useRead(accessRequests.need, { path })
  if (!need.data?.missing) return null
  const { missing, givers } = need.data
  const looksOn = signedIn.get()?.viewing !== undefined
  return (
    <>
      <p className={classes.detail}>{t('request.right', { right: rightText(missing) })}</p>
      <p className={classes.text}>
        {givers.length > 0
          ? t('request.givers', { names: givers.map(isolate).join(', ') })
          : t('request.nobody')}
      </p>
      {givers.length > 0 && !looksOn && <Ask right={missing} />}
    </>
  )
}

function Ask({ right }: { right: { action: Action; subject: Subject } }) {
  const t = useKitText()
  const [note, setNote] = useState('')
  const [busy, setBusy] = useState(false)
  const [told, setTold] = useState<number | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const wait = useCountdown(failure)
  const ask = async () => {
    setBusy(true)
    setFailure(null)
    try {
      setTold((await call(accessRequests.request, { ...right, note: note.trim() })).told)
    } catch (error) {
      if (!isFailure(error)) throw error
      if (error.httpStatus === 429) setFailure(error)
      else toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  if (told !== null)
    return (
      <output className={classes.asked} aria-live="polite">
        {t('request.asked', { count: told })}
      </output>
    )
  return (
    <form
      className={classes.ask}
      onSubmit={(event) => {
        event.preventDefault()
        void ask()
      }}
    >
      <TextInput
        aria-label={t('request.note')}
        placeholder={t('request.note')}
        maxLength={300}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" loading={busy} disabled={wait > 0}>
        {wait > 0 ? t('request.wait', { time: clockText(wait) }) : t('request.ask')}
      </Button>
    </form>
  )
}
