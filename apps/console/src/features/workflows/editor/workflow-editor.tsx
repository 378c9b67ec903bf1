import { Alert, Button, Tooltip } from '@mantine/core'
import { IconDeviceFloppy, IconRocket } from '@tabler/icons-react'
import { createContext, lazy, memo, Suspense, useCallback, useContext, useEffect, useState } from 'react'
import type { Workflow } from '@weft/contract/workflows/schema'
import type { WorkflowDocument } from '@weft/workflow/document'
import { shutIf } from '../../../kit/actions/shut.ts'
import { Page } from '../../../kit/page/page.tsx'
import { PageTabs } from '../../../kit/page/tabs.tsx'
import { LinesSkeleton } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { Time } from '../../../kit/values/values.tsx'
import { CommentsLabel } from '../../together/comments/tab-label.tsx'
import { useSaid } from '../../together/comments/use-said.ts'
import { CommentsPlace } from '../../together/place.tsx'
import { PeopleHere } from '../../together/presence/people-here.tsx'
import { usePresence } from '../../together/presence/use-presence.ts'
import { Together, TogetherContext } from '../../together/together.ts'
import type { Store } from '../../../lib/emitter.ts'
import { useStoreOf, useValueOf } from '../../../lib/use-value-of.ts'
import { isolate } from '../../../lib/i18n/isolate.ts'
import { errorText } from '../../../lib/i18n/names.ts'
import { ReleaseBadge } from '../release-badge.tsx'
import { useT } from '../text.ts'
import { ConflictDialog } from './conflicts/conflict-dialog.tsx'
import { BrowsePlace, RecordButton } from './browse/browse-parts.tsx'
import { EditorContext, EditorStateContext, focusedStep, useEditor } from './context.ts'
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

/** What the few parts around the steps need besides the editor; it changes with every move. */
const EditorPageContext = createContext<Store<EditorPage> | null>(null)

function useEditorPage(): EditorPage {
  const page = useContext(EditorPageContext)
  if (!page) throw new Error('A part of the editor stands outside of its page.')
  return useValueOf(page)
}

const CommentsTab = lazy(() => import('../../together/comments/comments-tab.tsx'))

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
  const page = useWorkflowEditor(workflow, document)
  const [desk] = useState(() => new TestDesk())
  useEffect(() => () => desk.queue.leave(), [desk])
  const [together] = useState(() => new Together())
  usePresence(workflow.id, focusedStep(page.state)?.id ?? null, together)
  return (
    <EditorContext value={useStoreOf(page.editor)}>
      <EditorStateContext value={useStoreOf(page.state)}>
        <TestContext value={desk}>
          <TogetherContext value={together}>
            <EditorPageContext value={useStoreOf(page)}>
              <EditorFrame workflow={workflow} together={together} />
            </EditorPageContext>
          </TogetherContext>
        </TestContext>
      </EditorStateContext>
    </EditorContext>
  )
}

/** What stands around the steps: it is not drawn anew for each move of the focus, only those parts of it that ask for it. */
const EditorFrame = memo(function EditorFrame(props: { workflow: Workflow; together: Together }) {
  const t = useT()
  const { workflow, together } = props
  const said = useSaid(workflow.id, together)
  const [publishing, setPublishing] = useState(false)
  const publish = useCallback(() => setPublishing(true), [])
  return (
    <>
      <Page
        title={workflow.name}
        back={backOf(workflow)}
        status={<Status />}
        actions={
          <>
            <PeopleHere />
            <SaveButton />
            <RecordButton />
            <TestButton />
            <PublishButton publish={publish} />
          </>
        }
      >
        <Notices />
        <PageTabs
          tabs={[
            { id: 'steps', label: t('tabs.steps'), content: <StepsTab /> },
            { id: 'data', label: t('tabs.data'), content: <DataTab /> },
            { id: 'settings', label: t('tabs.settings'), content: <SettingsTab /> },
            { id: 'releases', label: t('tabs.releases'), content: <ReleasesTab /> },
            {
              id: 'comments',
              label: <CommentsLabel said={said} />,
              content: (
                <Suspense fallback={<LinesSkeleton lines={6} />}>
                  <CommentsTab />
                </Suspense>
              ),
            },
          ]}
        />
        <BrowsePlace />
        <PublishDialog opened={publishing} close={() => setPublishing(false)} />
        <Conflicts />
      </Page>
      <CommentsPlace />
    </>
  )
})

function Conflicts() {
  const { clash, dropClash, settle } = useEditorPage()
  return <ConflictDialog clash={clash} close={dropClash} settle={settle} />
}

function SaveButton() {
  const t = useT()
  const { readOnly, dirty, saving, save } = useEditor()
  if (readOnly) return null
  return (
    <Button
      variant="default"
      leftSection={<IconDeviceFloppy size={16} aria-hidden />}
      loading={saving}
      {...shutIf(!dirty, () => void save())}
    >
      {t('save')}
    </Button>
  )
}

const NOTHING_NEW = 'workflow.nothing_to_publish'

/** Leads to the publish dialog; where there is nothing new it is shut and says so. */
const PublishButton = memo(function PublishButton({ publish }: { publish: () => void }) {
  const t = useT()
  const editor = useEditor()
  const { can, cannot } = editor.workflow
  const nothingNew = !can.includes('publish')
  if (nothingNew && cannot?.['publish'] !== NOTHING_NEW) return null
  const button = (
    <Button
      leftSection={<IconRocket size={16} aria-hidden />}
      {...shutIf(nothingNew && !editor.dirty, publish)}
    >
      {t('publish.submit')}
    </Button>
  )
  return nothingNew && !editor.dirty ? <Tooltip label={t('publish.nothingNew')}>{button}</Tooltip> : button
})

function Status() {
  const t = useT()
  const { editor, otherTabs } = useEditorPage()
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

const DENIED = 'access.denied'

/** What the author should know of other tabs, other people, and work that came back. */
function Notices() {
  const t = useT()
  const page = useEditorPage()
  const { restored, incoming, cannotKeep } = page
  const shut = page.editor.readOnly ? page.editor.workflow.cannot?.['update'] : undefined
  return (
    <div className={classes.notices}>
      {/* Who has no right to change anything knows; that the project is shut has to be said. */}
      {shut !== undefined && shut !== DENIED && (
        <Alert color="gray" p={12}>
          {errorText(shut)}
        </Alert>
      )}
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
            <span>{incoming.by ? t('local.newerBy', { name: isolate(incoming.by) }) : t('local.newer')}</span>
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
