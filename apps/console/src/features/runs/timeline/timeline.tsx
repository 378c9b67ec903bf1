import { Button, Loader } from '@mantine/core'
import {
  IconCircleCheck,
  IconCircleDashed,
  IconCircleMinus,
  IconCircleX,
  IconClockPause,
  IconChevronRight,
} from '@tabler/icons-react'
import { useId, useMemo, useState } from 'react'
import type { RunDetail, RunFile, RunStep } from '@weft/contract/runs/schema'
import { Empty } from '../../../kit/states/states.tsx'
import { StatusBadge } from '../../../kit/status/status-badge.tsx'
import { Duration, Elapsed } from '../../../kit/values/values.tsx'
import { useFormats } from '../../../lib/formats.ts'
import { useActivityText, errorClassText, useT } from '../text.ts'
import { StepDetail } from './step-detail.tsx'
import classes from './timeline.module.css'
import { countWithin, isNotable, stepTree, type StepGroup, type StepNode } from './tree.ts'

const SHOWN = 100

/** What a run did, step by step, nested as the workflow is; a failure is open from the start. */
export function Timeline({ run }: { run: RunDetail }) {
  const t = useT()
  const roots = useMemo(() => stepTree(run.steps), [run.steps])
  const files = useMemo(() => new Map(run.files.map((file) => [file.id, file])), [run.files])
  if (roots.length === 0) return <Empty title={t('timeline.empty')} text={t('timeline.emptyText')} />
  return (
    <ul className={classes.tree}>
      <Nodes nodes={roots} files={files} />
    </ul>
  )
}

function Nodes({ nodes, files }: { nodes: readonly StepNode[]; files: ReadonlyMap<string, RunFile> }) {
  const t = useT()
  const [most, setMost] = useState(SHOWN)
  return (
    <>
      {nodes.slice(0, most).map((node) => (
        <Node key={node.key} node={node} files={files} />
      ))}
      {nodes.length > most && (
        <li>
          <Button
            className={classes.more}
            size="compact-sm"
            variant="subtle"
            onClick={() => setMost((before) => before + SHOWN)}
          >
            {t('timeline.more', { count: nodes.length - most })}
          </Button>
        </li>
      )}
    </>
  )
}

function Node({ node, files }: { node: StepNode; files: ReadonlyMap<string, RunFile> }) {
  const t = useT()
  const activityText = useActivityText()
  const { step } = node
  const detailId = useId()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const isLeaf = node.groups.length === 0
  // A failed leaf shows its cause at once; a container opens for what failed or runs within it.
  const open = chosen ?? (isLeaf ? step.state === 'failed' : isNotable(node))
  return (
    <li>
      <button
        type="button"
        className={classes.row}
        aria-expanded={open}
        aria-controls={detailId}
        onClick={() => setChosen(!open)}
      >
        <IconChevronRight size={15} className={classes.chevron} aria-hidden />
        <StateIcon step={step} />
        <bdi className={classes.name}>{step.name}</bdi>
        <span className={classes.type}>{activityText(step.type)}</span>
        {step.attempt > 1 && (
          <StatusBadge value="attempt" tone="amber" text={t('timeline.attempt', { attempt: step.attempt })} />
        )}
        {step.intent !== 'none' && (
          <StatusBadge
            value={step.intent}
            tone={step.intent === 'confirmed' ? 'green' : 'violet'}
            text={t(`timeline.intent.${step.intent}`)}
          />
        )}
        <span className={classes.end}>
          {!isLeaf && !open && <span>{t('timeline.within', { count: countWithin(node) })}</span>}
          {step.durationMs === null ? (
            step.state === 'running' && <Elapsed from={step.startedAt} to={null} />
          ) : (
            <Duration ms={step.durationMs} />
          )}
        </span>
        {step.error && !open && <span className={classes.error}>{errorClassText(step.error.class)}</span>}
      </button>
      {open && (
        <div id={detailId}>
          <StepDetail step={step} files={files} />
          {node.groups.map((group) => (
            <Group key={group.key} group={group} files={files} />
          ))}
        </div>
      )}
    </li>
  )
}

function Group({ group, files }: { group: StepGroup; files: ReadonlyMap<string, RunFile> }) {
  const name = useGroupName(group)
  return (
    <div className={classes.nested}>
      {name && <div className={classes.groupName}>{name}</div>}
      <ul>
        <Nodes nodes={group.nodes} files={files} />
      </ul>
    </div>
  )
}

const BODIES = ['true', 'false', 'try', 'catch', 'finally', 'default'] as const

function useGroupName({ outcome, round }: StepGroup): string | null {
  const t = useT()
  const formats = useFormats()
  if (round !== null) return t('timeline.round', { round: formats.number(round + 1) })
  const known = BODIES.find((body) => body === outcome)
  if (known) return t(`timeline.bodies.${known}`)
  const keyed = /^(?:case|branch):(.+)$/.exec(outcome)
  return keyed?.[1] ?? null
}

const ICONS = {
  succeeded: IconCircleCheck,
  failed: IconCircleX,
  skipped: IconCircleMinus,
  waiting: IconClockPause,
  cancelled: IconCircleDashed,
} as const

function StateIcon({ step }: { step: RunStep }) {
  const t = useT()
  const label = t(`timeline.states.${step.state}`)
  const Icon = step.state === 'running' ? null : ICONS[step.state]
  return (
    <span className={classes.icon} data-state={step.state} title={label}>
      {Icon ? <Icon size={17} aria-hidden /> : <Loader size={15} color="blue" aria-hidden />}
      <span className="unseen">{label}</span>
    </span>
  )
}
