import { Button } from '@mantine/core'
import { access } from '@weft/contract/access/api'
import type { Person } from '@weft/contract/users/schema'
import { useActions } from '../../kit/actions/run.ts'
import { Section } from '../../kit/page/page.tsx'
import { LinesSkeleton, Load } from '../../kit/states/states.tsx'
import { Ltr, Time } from '../../kit/values/values.tsx'
import { useRead } from '../../lib/query.ts'
import { personActions } from './actions.ts'
import { useT } from './text.ts'
import classes from './users.module.css'

const endSessions = personActions.find(({ id }) => id === 'endSessions')

/** Where a person is signed in, and how to end that. */
export function PersonSessions({ person }: { person: Person }) {
  const t = useT()
  const { run } = useActions('users')
  const record = useRead(access.sessionsOf, { id: person.id })
  const may = person.can.includes('endSessions')
  return (
    <Section
      flush
      title={t('tabs.sessions')}
      aside={
        may &&
        endSessions &&
        (record.data?.totalRecord ?? 0) > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => void run(endSessions, person, person.username)}
          >
            {t('sessions.end')}
          </Button>
        )
      }
    >
      <Load of={record} part skeleton={<LinesSkeleton lines={3} />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className={classes.nothing} style={{ padding: 16 }}>
              {t('sessions.none')}
            </p>
          ) : (
            <ul className={classes.rows}>
              {data.map((session) => (
                <li key={session.id}>
                  <span className={classes.rowMain}>
                    <strong>
                      <bdi>{session.userAgent || '–'}</bdi>
                    </strong>
                    <span className={classes.rowDetail}>
                      <Ltr>{session.address}</Ltr>
                      {session.current && ` · ${t('sessions.current')}`}
                    </span>
                  </span>
                  <span className={classes.rowDetail}>
                    {t('sessions.lastUsed')} <Time at={session.lastUsedAt} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Load>
    </Section>
  )
}
