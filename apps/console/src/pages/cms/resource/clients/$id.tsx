import { useNavigate, useParams } from 'react-router'
import { clients } from '@weft/contract/clients/api'
import { clientActions } from '../../../../features/clients/actions.ts'
import { AdminBadge, ConnectionBadge, WorkBadge } from '../../../../features/clients/badges.tsx'
import { ClientOverview, ClientSettings } from '../../../../features/clients/detail.tsx'
import classes from '../../../../features/clients/clients.module.css'
import { ClientDiagnosis } from '../../../../features/clients/diagnosis.tsx'
import { PauseDialog } from '../../../../features/clients/pause.tsx'
import { ClientRuns } from '../../../../features/clients/runs.tsx'
import { useT } from '../../../../features/clients/text.ts'
import { RecordActions } from '../../../../kit/actions/record-actions.tsx'
import { Page } from '../../../../kit/page/page.tsx'
import { PageTabs } from '../../../../kit/page/tabs.tsx'
import { Load } from '../../../../kit/states/states.tsx'
import { useRead } from '../../../../lib/query.ts'

/** One machine: what it is, what it does, what it may do. */
export default function ClientPage() {
  const t = useT()
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const record = useRead(clients.get, { id })
  return (
    <Load of={record}>
      {(client) => (
        <Page
          title={client.name}
          back="/cms/resource/clients"
          status={
            <span className={classes.badges}>
              <ConnectionBadge client={client} />
              <WorkBadge client={client} />
              <AdminBadge client={client} />
            </span>
          }
          actions={
            <RecordActions
              feature="clients"
              of={client}
              name={client.name}
              onDone={({ id: done }) => {
                if (done === 'delete') void navigate('/cms/resource/clients')
              }}
              actions={clientActions.filter(({ id: action }) => action !== 'open')}
              primary={['pause', 'enable']}
            />
          }
        >
          <PageTabs
            tabs={[
              { id: 'overview', label: t('tabs.overview'), content: <ClientOverview client={client} /> },
              { id: 'diagnosis', label: t('tabs.diagnosis'), content: <ClientDiagnosis id={id} /> },
              { id: 'runs', label: t('tabs.runs'), content: <ClientRuns id={id} /> },
              ...(client.can.includes('update')
                ? [{ id: 'settings', label: t('tabs.settings'), content: <ClientSettings id={id} /> }]
                : []),
            ]}
          />
          <PauseDialog />
        </Page>
      )}
    </Load>
  )
}
