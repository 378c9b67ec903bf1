import type { ReactNode } from 'react'
import { failureParams } from '../../kit/toast/toast.ts'
import type { Failure } from '../../lib/failure.ts'
import { errorText } from '../../lib/i18n/names.ts'
import classes from './auth.module.css'

/** A line above a form of these pages. */
export function Notice({ tone, children }: { tone?: 'red' | 'green'; children: ReactNode }) {
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'red' ? 'alert' : 'status'}>
      {children}
    </div>
  )
}

/** What a failed call says. */
export function FailureNotice({ failure }: { failure: Failure }) {
  const { code, params, message } = failure.body
  return (
    <Notice tone="red">{errorText(code, failureParams(params, failure.retryAfterSeconds), message)}</Notice>
  )
}
