import { Button } from '@mantine/core'
import { IconFolderSymlink, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { projects } from '@weft/contract/projects/api'
import type { Project } from '@weft/contract/projects/schema'
import { projectActions } from '../../../../features/projects/actions.ts'
import { ProjectCampaigns } from '../../../../features/projects/campaigns.tsx'
import { ClosedBanner } from '../../../../features/projects/closed-banner.tsx'
import { ActivityTab } from '../../../../features/projects/insight/activity-tab.tsx'
import { HealthTab } from '../../../../features/projects/insight/health-tab.tsx'
import { ReleasesTab } from '../../../../features/projects/insight/releases-tab.tsx'
import { MembersTab } from '../../../../features/projects/members-tab.tsx'
import { ProjectSettings } from '../../../../features/projects/form.tsx'
import { useT } from '../../../../features/projects/text.ts'
import { TakeDialog } from '../../../../features/projects/transfer/take-dialog.tsx'
import { SecretsTab } from '../../../../features/projects/values/secrets-tab.tsx'
import { VariablesTab } from '../../../../features/projects/values/variables-tab.tsx'
import { ProjectWorkflows } from '../../../../features/workflows/list.tsx'
import { RecordActions } from '../../../../kit/actions/record-actions.tsx'
import { Page, Section } from '../../../../kit/page/page.tsx'
import { PageTabs } from '../../../../kit/page/tabs.tsx'
import { Load } from '../../../../kit/states/states.tsx'
import { StatusBadge } from '../../../../kit/status/status-badge.tsx'
import { useCan } from '../../../../lib/can.ts'
import { useRead } from '../../../../lib/query.ts'

const notOpen = projectActions.filter(({ id }) => id !== 'open')

/** One project: its workflows, its campaigns, its settings. */
export default function ProjectPage() {
  const { id = '' } = useParams()
  const record = useRead(projects.get, { id })
  return <Load of={record}>{(project) => <ProjectView project={project} />}</Load>
}

function ProjectView({ project }: { project: Project }) {
  const t = useT()
  const may = useCan()
  const navigate = useNavigate()
  const [taking, setTaking] = useState(false)
  const { id } = project
  const locked = project.status !== 'active'
  const gone = (action: { id: string }) => {
    if (action.id === 'delete') void navigate('/cms/project/list')
  }
  const newWorkflow = `/cms/workflow/editor/new?project=${id}`
  return (
    <Page
      title={project.name}
      back="/cms/project/list"
      status={<StatusBadge value={project.status} feature="projects" />}
      {...(project.description ? { lead: <bdi>{project.description}</bdi> } : {})}
      actions={
        <>
          <RecordActions
            feature="projects"
            of={project}
            name={project.name}
            actions={notOpen}
            onDone={gone}
          />
          {may('CREATE', 'WORKFLOW') && !locked && (
            <Button
              variant="default"
              leftSection={<IconFolderSymlink size={16} aria-hidden />}
              onClick={() => setTaking(true)}
            >
              {t('transfer.take')}
            </Button>
          )}
          {may('CREATE', 'WORKFLOW') && !locked && (
            <Button component={Link} to={newWorkflow} leftSection={<IconPlus size={16} aria-hidden />}>
              {t('newWorkflow')}
            </Button>
          )}
        </>
      }
    >
      <ClosedBanner project={project} />
      {taking && <TakeDialog project={project} close={() => setTaking(false)} />}
      <PageTabs
        tabs={[
          {
            id: 'workflows',
            label: t('tabs.workflows'),
            content: <ProjectWorkflows projectId={id} newPath={newWorkflow} />,
          },
          ...(may('VIEW', 'CAMPAIGN')
            ? [
                {
                  id: 'campaigns',
                  label: t('tabs.campaigns'),
                  content: <ProjectCampaigns projectId={id} />,
                },
              ]
            : []),
          {
            id: 'members',
            label: t('tabs.members'),
            content: <MembersTab project={project} locked={locked} />,
          },
          {
            id: 'variables',
            label: t('tabs.variables'),
            content: <VariablesTab project={project} locked={locked} />,
          },
          {
            id: 'secrets',
            label: t('tabs.secrets'),
            content: <SecretsTab project={project} locked={locked} />,
          },
          {
            id: 'releases',
            label: t('tabs.releases'),
            content: <ReleasesTab projectId={id} />,
          },
          { id: 'activity', label: t('tabs.activity'), content: <ActivityTab projectId={id} /> },
          { id: 'health', label: t('tabs.health'), content: <HealthTab projectId={id} /> },
          ...(project.can.includes('update') && !locked
            ? [
                {
                  id: 'settings',
                  label: t('tabs.settings'),
                  content: (
                    <Section title={t('settings')}>
                      <ProjectSettings id={id} />
                    </Section>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Page>
  )
}
