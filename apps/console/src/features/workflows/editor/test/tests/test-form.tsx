import { Alert, Button, Input, SegmentedControl, TextInput } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import { workflowTests } from '@weft/contract/workflow-tests/api'
import { workflowTestSchema, type WorkflowTest } from '@weft/contract/workflow-tests/schema'
import { confirm } from '../../../../../kit/confirm/confirm.ts'
import { toast } from '../../../../../kit/toast/toast.ts'
import { call } from '../../../../../lib/api.ts'
import { isFailure } from '../../../../../lib/failure.ts'
import { useKitText } from '../../../../../lib/i18n/texts.ts'
import { randomKey } from '../../../../../lib/id.ts'
import { invalidateFeatures } from '../../../../../lib/query.ts'
import { draftOfTest, isChanged, leftAfterSave, type TestDraft } from '../../../model/tests/test-draft.ts'
import { useT } from '../../../text.ts'
import { useEditor } from '../../context.ts'
import { InputFields, ResourceFields } from '../run-fields.tsx'
import { useTestDesk } from '../test-desk.ts'
import { ExpectationRows } from './expectation-rows.tsx'
import classes from './tests.module.css'

const NAME_MAX = 120

/** A test while it is written: what it is given, how it should end, and what should then hold. */
export function TestForm(props: { draft: TestDraft; names: readonly string[]; close: () => void }) {
  const t = useT()
  const kit = useKitText()
  const desk = useTestDesk()
  const { document } = useEditor()
  const { draft, names, close } = props
  const { save, busy, wrong, theirs, settle } = useSave()
  const put = (changes: Partial<TestDraft>) => desk.draft.set({ ...draft, ...changes })
  const taken = names.includes(draft.name.trim())
  const empty = draft.name.trim() === ''
  const plain = document.inputs.filter((input) => !input.secret)
  const known = new Set(plain.map(({ name }) => name))
  const gone = Object.keys(draft.inputs).filter((name) => !known.has(name))
  const endsId = useId()
  const leave = async () => {
    if (isChanged(draft) && !(await confirm({ text: t('tests.leaveText'), name: draft.name, danger: true })))
      return
    if (desk.draft.get()?.key === draft.key) close()
  }
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!taken && !empty) void save(draft)
      }}
    >
      <h3 className={classes.title}>{t(draft.id === null ? 'tests.new' : 'tests.edit')}</h3>
      {theirs && (
        <Alert color="yellow" title={t('tests.changedMeanwhile')} role="alert">
          <span className={classes.tools}>
            <Button size="compact-sm" variant="default" onClick={() => settle('mine', draft)}>
              {t('tests.saveMine')}
            </Button>
            <Button size="compact-sm" variant="default" onClick={() => settle('theirs', draft)}>
              {t('tests.takeTheirs')}
            </Button>
          </span>
        </Alert>
      )}
      <div className={classes.columns}>
        <div className={classes.fields}>
          <TextInput
            label={t('tests.name')}
            required
            data-autofocus
            // The form has just been asked for.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
            maxLength={NAME_MAX}
            value={draft.name}
            error={taken ? t('tests.nameTaken') : empty ? t('tests.nameMissing') : undefined}
            onChange={(event) => put({ name: event.currentTarget.value })}
          />
          <h4 className={classes.heading}>{t('test.inputs')}</h4>
          {plain.length === 0 && <p className={classes.dim}>{t('data.noInputs')}</p>}
          <InputFields
            inputs={plain}
            values={draft.inputs}
            wrong={wrong}
            onChange={(inputs) => put({ inputs })}
          />
          {plain.length < document.inputs.length && <p className={classes.dim}>{t('tests.secretsHelp')}</p>}
          {gone.length > 0 && (
            <p className={classes.dim}>
              {t('tests.inputsGone')} <bdi className="ltr">{gone.join(', ')}</bdi>{' '}
              <Button
                size="compact-xs"
                variant="default"
                onClick={() =>
                  put({
                    inputs: Object.fromEntries(
                      Object.entries(draft.inputs).filter(([name]) => known.has(name)),
                    ),
                  })
                }
              >
                {t('tests.takeOut')}
              </Button>
            </p>
          )}
        </div>
        <div className={classes.fields}>
          <h4 className={classes.heading}>{t('test.resources')}</h4>
          <ResourceFields value={draft.resources} onChange={(resources) => put({ resources })} />
        </div>
        <div className={classes.fields}>
          <Input.Wrapper label={t('tests.expectedResult')} labelElement="div" labelProps={{ id: endsId }}>
            <SegmentedControl
              fullWidth
              aria-labelledby={endsId}
              value={draft.expectedResult}
              data={(['succeeded', 'failed'] as const).map((value) => ({
                value,
                label: t(`tests.results.${value}`),
              }))}
              onChange={(value) => put({ expectedResult: value === 'failed' ? 'failed' : 'succeeded' })}
            />
          </Input.Wrapper>
          <ExpectationRows rows={draft.expectations} onChange={(expectations) => put({ expectations })} />
        </div>
      </div>
      <div className={classes.foot}>
        <Button variant="default" onClick={() => void leave()}>
          {kit('common.cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={taken || empty}>
          {kit('common.save')}
        </Button>
      </div>
    </form>
  )
}

/** Saves a test; what another person saved meanwhile is never written over unasked. */
function useSave() {
  const t = useT()
  const desk = useTestDesk()
  const { workflow } = useEditor()
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>()
  const [theirs, setTheirs] = useState<WorkflowTest | null>(null)
  // The same key as long as the same thing is sent: a second press makes no second test.
  const key = useRef({ of: '', key: '' })
  const save = async (sent: TestDraft) => {
    const { id, version, key: _opening, before: _before, expectations, ...draft } = sent
    const input = {
      workflowId: workflow.id,
      ...(id === null ? {} : { id }),
      ...(version === null ? {} : { version }),
      ...draft,
      expectations: expectations
        .filter(({ expression }) => expression.trim() !== '')
        .map(({ label, expression }) => ({ label, expression })),
    }
    const text = JSON.stringify(input)
    if (key.current.of !== text) key.current = { of: text, key: randomKey() }
    setBusy(true)
    setWrong(undefined)
    try {
      const saved = await call(workflowTests.save, input, { idempotencyKey: key.current.key })
      await invalidateFeatures(['workflowTests'])
      toast.success(t('tests.saved'))
      // What was changed while it was on its way is not saved yet; what was begun instead is another test.
      desk.draft.set(leftAfterSave(desk.draft.get(), sent, saved))
    } catch (error) {
      const current = isFailure(error) ? workflowTestSchema.safeParse(error.body.current).data : undefined
      const isOpen = desk.draft.get()?.key === sent.key
      if (isFailure(error) && error.body.code === 'record.stale' && current && isOpen)
        return setTheirs(current)
      if (isFailure(error) && error.body.code === 'request.invalid')
        setWrong(
          new Map(
            (error.body.errors ?? []).flatMap(({ path, code }): [string, string][] =>
              path.startsWith('inputs.') ? [[path.slice('inputs.'.length), code]] : [],
            ),
          ),
        )
      toast.failure(error)
    } finally {
      setBusy(false)
    }
    return undefined
  }
  const settle = (whose: 'mine' | 'theirs', draft: TestDraft) => {
    if (!theirs) return
    setTheirs(null)
    if (whose === 'theirs') desk.draft.set(draftOfTest(theirs))
    else void save({ ...draft, version: theirs.version })
  }
  return { save, busy, wrong, theirs, settle }
}
