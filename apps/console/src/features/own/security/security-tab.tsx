import { twoSteps } from '@weft/contract/access/two-steps/api'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { useRead } from '../../../lib/query.ts'
import { AuthenticatorSection } from './authenticator-section.tsx'
import { CodesDialog } from './codes-dialog.tsx'
import { CodesSection } from './codes-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import classes from '../own.module.css'

/** The second step: an authenticator app, passkeys, and the recovery codes for when both are lost. */
export function SecurityTab() {
  const state = useRead(twoSteps.state, {})
  return (
    <Load of={state} part skeleton={<LinesSkeleton lines={8} />}>
      {(data) => (
        <div className={classes.column}>
          <AuthenticatorSection state={data} />
          <PasskeysSection state={data} />
          <CodesSection state={data} />
          <CodesDialog />
        </div>
      )}
    </Load>
  )
}
