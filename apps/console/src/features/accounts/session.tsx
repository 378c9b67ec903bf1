import type { ReactNode } from 'react'
import { accounts } from '@weft/contract/accounts/api'
import { Facts } from '../../kit/page/page.tsx'
import { StatusBadge } from '../../kit/status/status-badge.tsx'
import type { Tone } from '../../kit/status/tones.ts'
import { Time } from '../../kit/values/values.tsx'
import { useRead } from '../../lib/query.ts'
import { useT } from './text.ts'

const TONES: Readonly<Record<string, Tone>> = {
  none: 'neutral',
  valid: 'green',
  expiring: 'amber',
  expired: 'violet',
}

/** How the session stands that is kept for the account. */
export function AccountSession({ id }: { id: string }) {
  const t = useT()
  const { data } = useRead(accounts.session, { id })
  if (!data) return null
  const { state, savedAt, expiresAt } = data
  return (
    <Facts
      rows={[
        [
          t('fields.session'),
          <StatusBadge key="state" feature="accounts" field="session" value={state} tones={TONES} />,
        ],
        ...(savedAt === null
          ? []
          : [[t('fields.sessionSavedAt'), <Time key="saved" at={savedAt} />] satisfies [string, ReactNode]]),
        ...(expiresAt === null
          ? []
          : [
              [t('fields.sessionExpiresAt'), <Time key="ends" at={expiresAt} />] satisfies [
                string,
                ReactNode,
              ],
            ]),
      ]}
    />
  )
}
