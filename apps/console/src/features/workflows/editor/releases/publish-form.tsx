import { Alert, Button } from '@mantine/core'
import { useState } from 'react'
import { isPublishable } from '@weft/workflow/validate'
import { GrowingText } from '../../../../kit/fields/growing-text.tsx'
import { useKitText } from '../../../../lib/i18n/texts.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import { ProblemList } from '../problems.tsx'
import { useMayTest, useTests } from '../test/tests/use-tests.ts'
import { DiffView } from './diff-view.tsx'
import { PublishTests } from './publish-tests.tsx'
import classes from './releases.module.css'
import { usePublish } from './use-publish.ts'
import { useRelease } from './use-release.ts'

const MOST_SIGNS = 5000

/** What is wrong with the draft, what others shall know, how its tests stand, and what changed. */
export default function PublishForm({ close }: { close: () => void }) {
  const t = useT()
  const kit = useKitText()
  const { problems, document, workflow, dirty } = useEditor()
  const [changelog, setChangelog] = useState('')
  const publishable = isPublishable(problems)
  const { publish, busy } = usePublish(close)
  const ofTests = useTests()
  const mayTest = useMayTest()
  const { tests } = ofTests
  const open = tests.some(({ standing }) => standing !== 'passed')
  const held = workflow.testsMustPass && (open || !ofTests.read.data)
  const nothingNew = !dirty && !workflow.hasUnpublishedChanges && workflow.publishedRelease !== null
  return (
    <form
      className={classes.publish}
      onSubmit={(event) => {
        event.preventDefault()
        if (!held) void publish({ changelog })
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
          <GrowingText
            label={t('publish.changelog')}
            description={t('publish.changelogHelp')}
            value={changelog}
            onChange={(event) => setChangelog(event.currentTarget.value)}
            maxLength={MOST_SIGNS}
            minRows={3}
            maxRows={10}
            data-autofocus
          />
          <PublishTests of={ofTests} onGo={close} />
          {workflow.publishedRelease !== null && (
            <Changes number={workflow.publishedRelease} document={document} />
          )}
        </>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={close}>
          {kit('common.cancel')}
        </Button>
        {open && mayTest && (
          <Button
            variant={held ? 'filled' : 'default'}
            loading={busy}
            disabled={!publishable || nothingNew || ofTests.state.current !== null}
            onClick={() => void publish({ changelog, afterTests: tests.map(({ test }) => test.id) })}
          >
            {t('publish.testAndPublish')}
          </Button>
        )}
        <Button type="submit" loading={busy} disabled={!publishable || nothingNew || held}>
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
