import { Alert, Button, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import { workflows } from '@weft/contract/workflows/api'
import { isPublishable } from '@weft/workflow/validate'
import { toast } from '../../../../kit/toast/toast.ts'
import { call } from '../../../../lib/api.ts'
import { randomKey } from '../../../../lib/id.ts'
import { text, useKitText } from '../../../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../../../lib/query.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { ProblemList } from '../problems.tsx'
import { DiffView } from './diff-view.tsx'
import classes from './releases.module.css'
import { useRelease } from './use-release.ts'

const MOST_SIGNS = 5000

/** Makes a release of the draft: what is wrong with it, what changed, and what others shall know. */
export function PublishDialog({ opened, close }: { opened: boolean; close: () => void }) {
  const t = useT()
  const { workflow } = useEditor()
  const next = (workflow.publishedRelease ?? 0) + 1
  return (
    <Modal
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      opened={opened}
      onClose={close}
      size={720}
      title={t('publish.title', { number: next })}
    >
      {opened && <Publish close={close} />}
    </Modal>
  )
}

function Publish({ close }: { close: () => void }) {
  const t = useT()
  const kit = useKitText()
  const { problems, document, workflow, dirty } = useEditor()
  const [changelog, setChangelog] = useState('')
  const publishable = isPublishable(problems)
  const { publish, busy } = usePublish(close)
  const nothingNew = !dirty && !workflow.hasUnpublishedChanges && workflow.publishedRelease !== null
  return (
    <form
      className={classes.publish}
      onSubmit={(event) => {
        event.preventDefault()
        void publish(changelog)
      }}
    >
      {!publishable && <Alert color="red">{t('publish.hasErrors')}</Alert>}
      {nothingNew && <Alert color="yellow">{t('publish.nothingNew')}</Alert>}
      {problems.length > 0 && (
        <section>
          <h3 className={classes.heading}>{t('problems.title')}</h3>
          <ProblemList problems={problems} onGo={close} />
        </section>
      )}
      {publishable && (
        <>
          <Textarea
            label={t('publish.changelog')}
            description={t('publish.changelogHelp')}
            value={changelog}
            onChange={(event) => setChangelog(event.currentTarget.value)}
            maxLength={MOST_SIGNS}
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
          />
          {workflow.publishedRelease !== null && (
            <Changes number={workflow.publishedRelease} document={document} />
          )}
        </>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {kit('common.cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={!publishable || nothingNew}>
          {dirty ? t('publish.saveAndPublish') : t('publish.submit')}
        </Button>
      </div>
    </form>
  )
}

function Changes({
  number,
  document,
}: {
  number: number
  document: ReturnType<typeof useEditor>['document']
}) {
  const t = useT()
  const { workflow } = useEditor()
  const { document: before } = useRelease(workflow.id, number)
  if (!before) return null
  return (
    <section>
      <h3 className={classes.heading}>{t('publish.changes', { number })}</h3>
      <DiffView before={before} after={document} />
    </section>
  )
}

/** Saves what is not saved, then publishes exactly that version. */
function usePublish(close: () => void) {
  const t = useT()
  const { workflow, save } = useEditor()
  const [busy, setBusy] = useState(false)
  const publish = async (changelog: string) => {
    setBusy(true)
    try {
      const version = await save()
      if (version === null) return
      const release = await call(
        workflows.publish,
        { id: workflow.id, version, changelog },
        { idempotencyKey: randomKey() },
      )
      toast.success(t('publish.done', { number: release.number }))
      close()
    } catch (error) {
      toast.failure(error)
    } finally {
      void invalidateFeatures(['workflows'])
      setBusy(false)
    }
  }
  return { publish, busy }
}
