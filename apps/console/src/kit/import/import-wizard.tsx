import { Modal } from '@mantine/core'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { useEffect, useRef } from 'react'
import { isFailure } from '../../lib/failure.ts'
import { errorText, nounsOf } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { CheckStep } from './check-step.tsx'
import { ResultStep } from './result-step.tsx'
import { SourceStep } from './source-step.tsx'
import { useImportText } from './text.ts'
import { useImport } from './use-import.ts'
import classes from './import.module.css'

const STEPS = ['source', 'preview', 'apply'] as const

/** A failure stands below what was pressed, which may be at the lower edge of the window. */
const intoSight = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: 'nearest' })

/** From rows to records: choose or paste them, see what each column means and which rows are wrong, take them. */
export default function ImportWizard(props: { endpoint: Endpoint; lines: boolean; onClose: () => void }) {
  const t = useImportText()
  const kit = useKitText()
  const work = useImport(props.endpoint)
  const step = work.progress ? 'apply' : work.check ? 'preview' : 'source'
  const steps = useRef<HTMLOListElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    // What was pressed has gone with its step: who goes on by keyboard begins at the top of the next.
    steps.current?.focus()
  }, [step])
  return (
    <Modal
      opened
      onClose={props.onClose}
      size={860}
      title={t('title', { noun: nounsOf(work.feature) })}
      closeButtonProps={{ 'aria-label': kit('common.close') }}
      closeOnClickOutside={step === 'source'}
    >
      <ol ref={steps} className={classes.steps} tabIndex={-1}>
        {STEPS.map((name) => (
          <li key={name} aria-current={name === step ? 'step' : undefined}>
            {t(`steps.${name}`)}
          </li>
        ))}
      </ol>
      {step === 'source' && <SourceStep work={work} lines={props.lines} />}
      {step === 'preview' && work.check && <CheckStep work={work} check={work.check} />}
      {step === 'apply' && work.progress && (
        <ResultStep work={work} progress={work.progress} onClose={props.onClose} />
      )}
      {work.failure !== null && (
        <div className={classes.failure} role="alert" ref={intoSight}>
          {isFailure(work.failure)
            ? errorText(work.failure.body.code, work.failure.body.params, work.failure.body.message)
            : errorText('system.failed')}
        </div>
      )}
    </Modal>
  )
}
