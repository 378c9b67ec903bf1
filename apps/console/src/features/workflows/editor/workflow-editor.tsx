import { Alert, Button, Tooltip } from '@mantine/core'
import { IconDeviceFloppy, IconRocket } from '@tabler/icons-react'
import { useState } from 'react'
import type { Workflow } from '@weft/contract/workflows/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { Page } from '../../../kit/page/page.tsx'
import { PageTabs } from '../../../kit/page/tabs.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { Time } from '../../../kit/values/values.tsx'
import { ReleaseBadge } from '../release-badge.tsx'
import { useT } from '../text.ts'
import { ConflictDialog } from './conflicts/conflict-dialog.tsx'
import { EditorContext, EditorStateContext } from './context.ts'
import { DataTab } from './data/data-tab.tsx'
import classes from './editor.module.css'
import { PublishDialog } from './releases/publish-dialog.tsx'
import { ReleasesTab } from './releases/releases-tab.tsx'
import { documentFrom } from './server-document.ts'
import { SettingsTab } from './settings-tab.tsx'
import { StepsTab } from './steps-tab.tsx'
import { TestContext, TestDesk } from './test/test-desk.ts'
import { TestButton } from './test/test-parts.tsx'
import { useWorkflowEditor, type EditorPage } from './use-workflow-editor.ts'

/** The page of a workflow; of one whose document this console cannot read, it says so. */
export function WorkflowEditor({ workflow }: { workflow: Workflow }) {
  const [decoded] = useState(() => documentFrom(workflow.draft))
  const t = useT()
  if (decoded.ok) return <Editing workflow={workflow} document={decoded.value} />
  return (
    <Page title={workflow.name} back={backOf(workflow)}>
      <Alert color="red" title={t('unreadable.title')}>
        {t('unreadable.text')}
        <ul>
          {decoded.problems.slice(0, 10).map(({ code, path }) => (
            <li key={`${code} ${path}`}>
              <bdi className="ltr">
                {code} {path}
              </bdi>
            </li>
          ))}
        </ul>
      </Alert>
    </Page>
  )
}

function backOf({ id, kind, projectId }: Workflow): string {
  if (kind === 'activity') return `/cms/config/activity/${id}`
  return projectId ? `/cms/project/detail/${projectId}` : '/cms/workflow/list'
}

function Editing({ workflow, document }: { workflow: Workflow; document: WorkflowDocument }) {
  const t = useT()
  const page = useWorkflowEditor(workflow, document)
  const [publishing, setPublishing] = useState(false)
  const [desk] = useState(() => new TestDesk())
  const { editor } = page
  return (
    <EditorContext value={editor}>
      <EditorStateContext value={page.state}>
        <TestContext value={desk}>
          <Page
            title={workflow.name}
            back={backOf(workflow)}
            status={<Status page={page} />}
            actions={
              <>
                {!editor.readOnly && (
                  <Button
                    variant="default"
                    leftSection={<IconDeviceFloppy size={16} aria-hidden />}
                    disabled={!editor.dirty}
                    loading={editor.saving}
                    onClick={() => void editor.save()}
                  >
                    {t('save')}
                  </Button>
                )}
                <TestButton />
                <PublishButton page={page} publish={() => setPublishing(true)} />
              </>
            }
          >
            <Notices page={page} />
            <PageTabs
              tabs={[
                { id: 'steps', label: t('tabs.steps'), content: <StepsTab /> },
                { id: 'data', label: t('tabs.data'), content: <DataTab /> },
                { id: 'settings', label: t('tabs.settings'), content: <SettingsTab /> },
                { id: 'releases', label: t('tabs.releases'), content: <ReleasesTab /> },
              ]}
            />
            <PublishDialog opened={publishing} close={() => setPublishing(false)} />
            <ConflictDialog clash={page.clash} close={page.dropClash} settle={page.settle} />
          </Page>
        </TestContext>
      </EditorStateContext>
    </EditorContext>
  )
}

const NOTHING_NEW = 'workflow.nothing_to_publish'

/** Leads to the publish dialog; where there is nothing new it is shut and says so. */
function PublishButton({ page: { editor }, publish }: { page: EditorPage; publish: () => void }) {
  const t = useT()
  const { can, cannot } = editor.workflow
  const nothingNew = !can.includes('publish')
  if (nothingNew && cannot?.['publish'] !== NOTHING_NEW) return null
  const button = (
    <Button
      leftSection={<IconRocket size={16} aria-hidden />}
      {...(nothingNew && !editor.dirty
        ? { 'data-disabled': true, 'aria-disabled': true, onClick: (event) => event.preventDefault() }
        : { onClick: publish })}
    >
      {t('publish.submit')}
    </Button>
  )
  return nothingNew && !editor.dirty ? <Tooltip label={t('publish.nothingNew')}>{button}</Tooltip> : button
}

function Status({ page: { editor, otherTabs } }: { page: EditorPage }) {
  const t = useT()
  return (
    <span className={classes.status}>
      <ReleaseBadge workflow={editor.workflow} />
      {editor.readOnly && <StatusBadge value="readOnly" tone="neutral" text={t('status.readOnly')} />}
      {editor.dirty && <StatusBadge value="unsaved" tone="amber" text={t('status.unsaved')} />}
      {otherTabs > 0 && (
        <Tooltip label={t('local.otherTab')} multiline maw={320}>
          <span>
            <StatusBadge value="otherTab" tone="neutral" text={t('local.otherTabShort')} />
          </span>
        </Tooltip>
      )}
    </span>
  )
}

/** What the author should know of other tabs, other people, and work that came back. */
function Notices({ page }: { page: EditorPage }) {
  const t = useT()
  const { restored, incoming, cannotKeep } = page
  return (
    <div className={classes.notices}>
      {restored && (
        <Alert color="blue" p={12}>
          <div className={classes.notice}>
            <span>
              {t('local.restored')} <Time at={new Date(restored.at).toISOString()} />
            </span>
            <Button size="compact-sm" variant="default" onClick={page.discard}>
              {t('local.discard')}
            </Button>
          </div>
        </Alert>
      )}
      {incoming !== null && (
        <Alert color="yellow" p={12}>
          <div className={classes.notice}>
            <span>{t('local.newer')}</span>
            <Button size="compact-sm" variant="default" onClick={page.takeIncoming}>
              {t('local.merge')}
            </Button>
          </div>
        </Alert>
      )}
      {cannotKeep && (
        <Alert color="yellow" p={12}>
          {t('local.cannotKeep')}
        </Alert>
      )}
    </div>
  )
}
