import { Button } from '@mantine/core'
import { useState } from 'react'
import { tokens, type ApiToken } from '@weft/contract/access/tokens/api'
import { useChange } from '../../../kit/actions/use-change.ts'
import { confirm } from '../../../kit/confirm/confirm.ts'
import { Section } from '../../../kit/page/page.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { LinesSkeleton, Load } from '../../../kit/states/states.tsx'
import { rightText } from '../../../kit/rights/right-text.ts'
import { Code, Time } from '../../../kit/values/values.tsx'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { NewToken } from './new-token.tsx'
import classes from '../own.module.css'

/** Tokens for programs that call in one's name. */
export function TokensTab() {
  const t = useT()
  const list = useRead(tokens.list, {})
  const [making, setMaking] = useState(false)
  const remove = useChange(tokens.remove, { done: t('tokens.revoked') })
  const revoke = async ({ id, name }: ApiToken) => {
    if (await confirm({ name, text: t('tokens.revokeText'), confirmLabel: t('tokens.revoke') }))
      remove.mutate({ id })
  }
  return (
    <div className={classes.column}>
      <Section
        flush
        title={t('tokens.title')}
        aside={
          <Button size="compact-sm" onClick={() => setMaking(true)}>
            {t('tokens.create')}
          </Button>
        }
      >
        <Load of={list} part skeleton={<LinesSkeleton lines={4} />}>
          {({ data }) => (
            <ul className={classes.rows}>
              {data.length === 0 && <li className={classes.dim}>{t('tokens.none')}</li>}
              {data.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => void revoke(token)} />
              ))}
            </ul>
          )}
        </Load>
      </Section>
      {making && <NewToken onClose={() => setMaking(false)} />}
    </div>
  )
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const t = useT()
  const rights = token.scopes.flatMap(({ subject, actions }) =>
    actions.map((action) => rightText({ action, subject })),
  )
  return (
    <li>
      <span className={classes.main}>
        <span className={classes.chips}>
          <strong>
            <bdi>{token.name}</bdi>
          </strong>
          <Code>{`${token.start}…`}</Code>
          {token.expired && <StatusBadge value="expired" tone="red" text={t('tokens.expired')} />}
        </span>
        <span className={classes.dim}>{rights.join(' · ')}</span>
        <span className={classes.dim}>
          {token.expired ? t('tokens.expiredAt') : t('tokens.expiresAt')} <Time at={token.expiresAt} /> ·{' '}
          {t('tokens.lastUsed')} <Time at={token.lastUsedAt} />
        </span>
      </span>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('tokens.revokeOne', { name: token.name })}
        onClick={onRevoke}
      >
        {t('tokens.revoke')}
      </Button>
    </li>
  )
}
