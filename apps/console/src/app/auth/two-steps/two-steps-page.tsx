import { Anchor, Button } from '@mantine/core'
import { Suspense, lazy, useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { SignedIn } from '@weft/contract/access/schema'
import { isFailure, type Failure } from '../../../lib/failure.ts'
import { useAppText } from '../../../lib/i18n/texts.ts'
import { accept } from '../../../lib/session/session.ts'
import { AuthCard } from '../auth-card.tsx'
import { enter } from '../enter.ts'
import { nextSearch } from '../sent-here.ts'
import { Challenge } from './challenge.tsx'
import { readStep } from './step.ts'

// Who has a second step already does not need what draws QR codes.
const Enrol = lazy(() => import('./enrol.tsx'))

/** The second step of a sign-in: shown, or set up where a role asks for one and there is none yet. */
export function TwoStepsPage() {
  const t = useAppText()
  const navigate = useNavigate()
  const { state, hash } = useLocation()
  const [search] = useSearchParams()
  const nextUrl = search.get('nextUrl')
  // Kept here: once somebody is in, the place in the history says nothing more.
  const [step] = useState(() => readStep(state, hash))
  const backTo = { pathname: '/auth/login', search: nextSearch(nextUrl) }

  if (!step)
    return (
      <AuthCard title={t('twoSteps.title')} lead={t('twoSteps.none')}>
        <Button component={Link} to={backTo} fullWidth size="md">
          {t('twoSteps.toSignIn')}
        </Button>
      </AuthCard>
    )
  const finish = async (answer: SignedIn) => {
    accept(answer)
    void navigate(await enter(nextUrl), { replace: true })
  }
  const backWith = (notice?: 'ticketEnded') =>
    void navigate(backTo, { replace: true, state: { username: step.username, notice } })
  /** A sign-in that is over goes back to its beginning; every other failure is said in place. */
  const failed = (error: unknown): Failure | null => {
    if (!isFailure(error)) throw error
    if (error.body.code !== 'auth.ticket_ended') return error
    backWith('ticketEnded')
    return null
  }
  const back = (
    <Anchor component="button" type="button" fz="sm" ta="center" onClick={() => backWith()}>
      {t('twoSteps.back')}
    </Anchor>
  )
  if (step.enrol)
    return (
      <Suspense fallback={<AuthCard title={t('twoSteps.enrol.title')} lead={t('twoSteps.enrol.lead')} />}>
        <Enrol step={step} onFinish={finish} onFailure={failed} back={back} />
      </Suspense>
    )
  return <Challenge step={step} onFinish={finish} onFailure={failed} back={back} />
}
