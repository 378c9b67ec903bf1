import { Button } from '@mantine/core'
import { clients } from '@weft/contract/clients/api'
import type { OpenJoinCode } from '@weft/contract/clients/schema'
import { useChange } from '../../kit/actions/use-change.ts'
import { Time } from '../../kit/values/values.tsx'
import { useRead } from '../../lib/query.ts'
import classes from './clients.module.css'
import { useT } from './text.ts'

/** Codes that were made before and still let a machine in; nothing where there are none. */
export function OpenJoinCodes() {
  const t = useT()
  const open = useRead(clients.joinCodes, {})
  if (!open.data || open.data.length === 0) return null
  return (
    <section className={classes.codes} aria-label={t('codes.title')}>
      <h3 className={classes.codesTitle}>{t('codes.title')}</h3>
      <ul className={classes.slots}>
        {open.data.map((code) => (
          <Code key={code.id} code={code} />
        ))}
      </ul>
    </section>
  )
}

function Code({ code: { id, labels, maxSlots, createdAt, expiresAt } }: { code: OpenJoinCode }) {
  const t = useT()
  const end = useChange(clients.revokeJoinCode, { done: t('codes.ended') })
  return (
    <li className={classes.slot}>
      <span className={classes.slotName}>
        {t('codes.slots', { count: maxSlots })}
        {labels.length > 0 && (
          <>
            {' · '}
            <bdi className="ltr">{labels.join(', ')}</bdi>
          </>
        )}
        <span className={classes.codeTimes}>
          {t('codes.made')} <Time at={createdAt} /> · {t('codes.ends')} <Time at={expiresAt} />
        </span>
      </span>
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        loading={end.isPending}
        onClick={() => end.mutate({ id })}
      >
        {t('codes.end')}
      </Button>
    </li>
  )
}
