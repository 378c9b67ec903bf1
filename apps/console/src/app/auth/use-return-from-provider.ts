import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { CallFailure, isFailure, type Failure } from '../../lib/failure.ts'
import { refresh } from '../../lib/session/session.ts'
import { enter } from './enter.ts'

const refusal = (code: string): Failure => new CallFailure(403, { status: 'Error', code, message: code })

/**
 * Takes up a sign-in with which a provider sent the browser back: `sso=done` means that the refresh cookie is there,
 * `failed` names what went wrong.
 */
export function useReturnFromProvider(nextUrl: string | null): { busy: boolean; failure: Failure | null } {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const failed = search.get('failed')
  const done = search.get('sso') === 'done' && failed === null
  const [failure, setFailure] = useState<Failure | null>(() => (failed === null ? null : refusal(failed)))
  useEffect(() => {
    if (!done) return
    const takeUp = async () => {
      try {
        if ((await refresh()) === null) setFailure(refusal('sso.failed'))
        else void navigate(await enter(nextUrl), { replace: true })
      } catch (error) {
        if (!isFailure(error)) throw error
        setFailure(error)
      }
    }
    void takeUp()
  }, [done, navigate, nextUrl])
  return { busy: done && failure === null, failure }
}
