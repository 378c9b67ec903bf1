import type { ReactNode } from 'react'
import type { WorkflowDocument } from '@weft/workflow/document'
import { diffLines, foldEqual, type DiffLine } from '../../model/line-diff.ts'
import { useT } from '../../text.ts'
import classes from './releases.module.css'
import { useOutlineText } from './use-outline-text.ts'

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

/** What changed between two documents, line by line; equal stretches are left out. */
export function DiffView({ before, after }: { before: WorkflowDocument; after: WorkflowDocument }) {
  const t = useT()
  const textOf = useOutlineText()
  const lines = diffLines(textOf(before), textOf(after))
  if (lines.every(({ kind }) => kind === 'same')) return <p className={classes.dim}>{t('diff.same')}</p>
  return (
    <Text label={t('diff.title')}>
      {foldEqual(lines).map((part, index) =>
        part.kind === 'gap' ? (
          // Neither parts nor lines of a text have another name than their number.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className={classes.gap}>
            {t('diff.gap', { count: part.count })}
          </div>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <DiffLines key={index} lines={part.lines} />
        ),
      )}
    </Text>
  )
}

function DiffLines({ lines }: { lines: readonly DiffLine[] }) {
  const t = useT()
  return lines.map(({ kind, text }, index) => (
    // oxlint-disable-next-line react/no-array-index-key
    <div key={index} className={classes.line} data-kind={kind}>
      <span aria-hidden>{SIGNS[kind]}</span>
      {kind !== 'same' && <span className="unseen">{t(`diff.${kind}`)}</span>}
      <span className={classes.words}>{text}</span>
    </div>
  ))
}

/** A text that scrolls within itself, by the keyboard too. */
function Text({ label, children }: { label: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <figure className={classes.text} aria-label={label} tabIndex={0}>
      {children}
    </figure>
  )
}

/** A document as text. */
export function DocumentText({ document, label }: { document: WorkflowDocument; label: string }) {
  const textOf = useOutlineText()
  return (
    <Text label={label}>
      {textOf(document).map((text, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.line}>
          <span className={classes.words}>{text}</span>
        </div>
      ))}
    </Text>
  )
}
