import type { RunFile, RunStep } from '@weft/contract/runs/schema'
import { KeyValue } from '../../../kit/values/key-value.tsx'
import { Code } from '../../../kit/values/values.tsx'
import { Moment } from '../moment.tsx'
import { Screenshots } from '../files/screenshots.tsx'
import { errorClassText, useT } from '../text.ts'
import classes from './timeline.module.css'

/** One pass through one step: what went in, what came out, what was seen. */
export function StepDetail({ step, files }: { step: RunStep; files: ReadonlyMap<string, RunFile> }) {
  const t = useT()
  const pictures = step.files.flatMap((id) => {
    const file = files.get(id)
    return file?.kind === 'screenshot' ? [file] : []
  })
  return (
    <div className={classes.detail}>
      {step.error && (
        <div className={classes.message}>
          <strong>{errorClassText(step.error.class)}</strong>
          <br />
          <bdi>{step.error.message}</bdi>
        </div>
      )}
      {pictures.length > 0 && (
        <div className={classes.part}>
          <div className={classes.partTitle}>{t('files.screenshots')}</div>
          <Screenshots files={pictures} />
        </div>
      )}
      <div className={classes.facts}>
        <span>
          {t('timeline.began')} <Moment at={step.startedAt} />
        </span>
        <span>
          {t('timeline.path')} <Code copy>{step.path}</Code>
        </span>
        {step.outcome && (
          <span>
            {t('timeline.outcome')} <Code>{step.outcome}</Code>
          </span>
        )}
      </div>
      {isSomething(step.output) && (
        <div className={classes.part}>
          <div className={classes.partTitle}>{t('timeline.output')}</div>
          <KeyValue value={step.output} />
        </div>
      )}
      {isSomething(step.input) && (
        <div className={classes.part}>
          <div className={classes.partTitle}>{t('timeline.input')}</div>
          <KeyValue value={step.input} />
        </div>
      )}
    </div>
  )
}

function isSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return false
  if (typeof value === 'object') return Object.keys(value).length > 0
  return true
}
