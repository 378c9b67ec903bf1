import { useNavigate, useParams } from 'react-router'
import { users } from '@weft/contract/users/api'
import { RecordActions } from '../../kit/actions/record-actions.tsx'
import { Page } from '../../kit/page/page.tsx'
import { PageTabs } from '../../kit/page/tabs.tsx'
import { Load } from '../../kit/states/states.tsx'
import { useCan } from '../../lib/can.ts'
import { useRead } from '../../lib/query.ts'
import { personActions } from './actions.ts'
import { PersonBadge } from './columns.tsx'
import { leaving } from './dialogs.ts'
import { PersonHistory } from './history.tsx'
import { LeavingDialog } from './leaving-dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { PersonOverview } from './overview.tsx'
import { PEOPLE_PATH } from './paths.ts'
import { PersonRights } from './rights.tsx'
import { PersonSessions } from './sessions.tsx'
import { Subusers } from './subusers.tsx'
import { useT } from './text.ts'

const actions = personActions
  .filter(({ id }) => id !== 'info')
  .map((action) =>
    action.id === 'delete'
      ? {
          ...action,
          // Their page goes with them.
          run: (
            person: Parameters<NonNullable<typeof action.run>>[0],
            { go }: { go: (to: string) => void },
          ) => {
            leaving.set({ person, deletes: true, onDone: () => go(PEOPLE_PATH) })
            return Promise.resolve()
          },
        }
      : action,
  )

/** One person: who they are, what they may do, where they are signed in, what is theirs. */
export function PersonPage() {
  const t = useT()
  const navigate = useNavigate()
  const may = useCan()
  const { id = '' } = useParams()
  const record = useRead(users.get, { id })
  return (
    <Load of={record}>
      {(person) => (
        <Page
          title={person.displayName}
          back={PEOPLE_PATH}
          status={<PersonBadge person={person} />}
          actions={
            <RecordActions
              feature="users"
              of={person}
              name={person.username}
              actions={actions}
              primary={['edit', 'activate']}
              onDone={({ id: done }) => {
                if (done === 'restore') void navigate(PEOPLE_PATH)
              }}
            />
          }
        >
          <PageTabs
            tabs={[
              { id: 'overview', label: t('tabs.overview'), content: <PersonOverview person={person} /> },
              { id: 'rights', label: t('tabs.rights'), content: <PersonRights person={person} /> },
              ...(may('MANAGE', 'USER')
                ? [{ id: 'sessions', label: t('tabs.sessions'), content: <PersonSessions person={person} /> }]
                : []),
              { id: 'subusers', label: t('tabs.subusers'), content: <Subusers of={id} /> },
              { id: 'history', label: t('tabs.history'), content: <PersonHistory id={id} /> },
            ]}
          />
          <LinkDialog />
          <LeavingDialog />
        </Page>
      )}
    </Load>
  )
}
