import { Button, Modal, Radio } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { WorkflowDocument } from '@weft/workflow/document'
import { isolate } from '../../../../lib/i18n/isolate.ts'
import { text, useKitText } from '../../../../lib/i18n/texts.ts'
import type { Choices, Conflict, Side } from '../../model/merge/conflict.ts'
import { choicesFor, mergeDocuments } from '../../model/merge/merge.ts'
import { valuesOf } from '../../model/summary.ts'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { titleOf } from '../catalogue-text.ts'
import { settingText, useOutlineText } from '../releases/use-outline-text.ts'
import type { Clash } from '../use-saving.ts'
import classes from './conflicts.module.css'

/** Shows what both changed, side by side, and takes what is chosen. Everything else is merged already. */
export function ConflictDialog(props: {
  clash: Clash | null
  close: () => void
  settle: (clash: Clash, merged: WorkflowDocument) => void
}) {
  const t = useT()
  const { clash } = props
  return (
    <Modal
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      opened={clash !== null}
      onClose={props.close}
      size={960}
      title={clash?.by ? t('conflict.titleWith', { name: isolate(clash.by) }) : t('conflict.title')}
      closeOnClickOutside={false}
    >
      {clash && <Conflicts clash={clash} close={props.close} settle={props.settle} />}
    </Modal>
  )
}

function Conflicts(props: {
  clash: Clash
  close: () => void
  settle: (clash: Clash, merged: WorkflowDocument) => void
}) {
  const t = useT()
  const kit = useKitText()
  const { clash } = props
  const [choices, setChoices] = useState<Choices>({})
  const { document, conflicts } = mergeDocuments(clash, choices)
  const open = conflicts.filter(({ key }) => choices[key] === undefined)
  const all = (side: Side) => setChoices(choicesFor(side, clash))
  return (
    <>
      <p className={classes.lead}>{t('conflict.text')}</p>
      <div className={classes.all}>
        <Button size="compact-sm" variant="default" onClick={() => all('mine')}>
          {t('conflict.allMine')}
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => all('theirs')}>
          {t('conflict.allTheirs')}
        </Button>
      </div>
      {conflicts.map((conflict) => (
        <ConflictCard
          key={conflict.key}
          conflict={conflict}
          chosen={choices[conflict.key] ?? null}
          choose={(side) => setChoices({ ...choices, [conflict.key]: side })}
        />
      ))}
      <div className={classes.buttons}>
        {open.length > 0 && (
          <output className={classes.open}>{t('conflict.open', { count: open.length })}</output>
        )}
        <Button variant="default" onClick={props.close}>
          {kit('common.cancel')}
        </Button>
        <Button disabled={open.length > 0} onClick={() => props.settle(clash, document)}>
          {clash.thenSave ? t('conflict.settleAndSave') : t('conflict.settle')}
        </Button>
      </div>
    </>
  )
}

function ConflictCard(props: { conflict: Conflict; chosen: Side | null; choose: (side: Side) => void }) {
  const t = useT()
  const { conflict, chosen, choose } = props
  const title = useTitle(conflict)
  const sides: { side: Side; label: string }[] = [
    { side: 'mine', label: t('conflict.mine') },
    { side: 'theirs', label: t('conflict.theirs') },
  ]
  return (
    <fieldset className={classes.card}>
      <legend className={classes.title}>
        <bdi>{title}</bdi>
      </legend>
      <div className={classes.sides}>
        {sides.map(({ side, label }) => (
          <div key={side} className={classes.side} data-chosen={chosen === side || undefined}>
            <Radio
              name={conflict.key}
              label={label}
              checked={chosen === side}
              onChange={() => choose(side)}
            />
            <SideView conflict={conflict} side={side} />
          </div>
        ))}
      </div>
    </fieldset>
  )
}

function useTitle(conflict: Conflict): string {
  const t = useT()
  const catalogue = useCatalogueText()
  switch (conflict.kind) {
    case 'step': {
      const step = conflict.mine ?? conflict.theirs
      return step ? `${step.name || titleOf(step.type, catalogue)} (${conflict.id})` : conflict.id
    }
    case 'order':
      return t('conflict.order')
    case 'input':
      return t('conflict.input', { name: conflict.name })
    case 'variable':
      return t('conflict.variable', { name: conflict.name })
    default:
      return t(`settings.${conflict.name}`)
  }
}

function SideView({ conflict, side }: { conflict: Conflict; side: Side }): ReactNode {
  const t = useT()
  const linesOf = useLines(conflict)
  const lines = linesOf(side)
  const other = linesOf(side === 'mine' ? 'theirs' : 'mine')
  if (!lines) return <p className={classes.gone}>{t('conflict.deleted')}</p>
  return <Lines lines={lines} same={new Set(other ?? [])} />
}

/** A side in words; null where it is gone there. */
function useLines(conflict: Conflict): (side: Side) => readonly string[] | null {
  const t = useT()
  const catalogue = useCatalogueText()
  const textOf = useOutlineText()
  return (side) => {
    if (conflict.kind === 'setting') return [settingText(conflict.name, conflict[side], t)]
    if (conflict.kind === 'order') return textOf(stepsOnly(conflict[side]))
    if (conflict.kind === 'step') {
      const step = conflict[side]
      if (!step) return null
      const lines = valuesOf(step, catalogue).map((one) => `${catalogue(one.field.labelKey)}: ${one.text}`)
      if (step.name) lines.unshift(`${t('panel.name')}: ${step.name}`)
      if (step.disabled) lines.push(t('outline.disabled'))
      if (step.timeLimitSeconds !== undefined)
        lines.push(`${t('panel.timeLimit')}: ${step.timeLimitSeconds}${t('seconds')}`)
      if (step.retry) {
        const { attempts, delaySeconds } = step.retry
        lines.push(`${t('panel.attempts')}: ${attempts} × ${delaySeconds}${t('seconds')}`)
      }
      return lines
    }
    const entry = conflict[side]
    return entry ? Object.entries(entry).map(([name, value]) => `${name}: ${JSON.stringify(value)}`) : null
  }
}

/** A document of which only the arrangement of the steps is of interest. */
function stepsOnly(document: WorkflowDocument): WorkflowDocument {
  return { ...document, inputs: [], variables: [] }
}

/** What stands on one side; the lines that the other has not are marked, since they are what is chosen between. */
function Lines({ lines, same }: { lines: readonly string[]; same: ReadonlySet<string> }) {
  return (
    <div className={classes.lines}>
      {lines.map((line, index) =>
        same.has(line) ? (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index}>{line}</div>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index}>
            <mark className={classes.differs}>{line}</mark>
          </div>
        ),
      )}
    </div>
  )
}
