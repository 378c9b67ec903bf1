import type { Node, NodeProps, NodeTypes } from '@xyflow/react'
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconChevronDown,
  IconCircleX,
  IconPlus,
} from '@tabler/icons-react'
import { memo, useEffect, useRef, type CSSProperties } from 'react'
import { sideEffectOf } from '@weft/workflow/catalogue/catalogue'
import type { Activity } from '@weft/workflow/document'
import type { Place } from '@weft/workflow/operations'
import type { Problem } from '@weft/workflow/validate'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { StepSaid } from '../../../together/comments/step-said.tsx'
import { StepPeople } from '../../../together/presence/step-people.tsx'
import { ActivityIcon } from '../../activity-icon.tsx'
import { CANVAS, spotId, type CanvasBody, type Piece } from '../../model/canvas/layout.ts'
import { summaryOf } from '../../model/summary.ts'
import { useT } from '../../text.ts'
import { titleOf } from '../catalogue-text.ts'
import { StepMark } from '../test/step-mark.tsx'
import { useCanvas } from './canvas-context.ts'
import classes from './canvas.module.css'

/** What a piece is drawn from. */
export interface NodeData extends Record<string, unknown> {
  node: Piece
  /** The key of the step or heading in it that has the focus. */
  focus: string | null
  problems: readonly Problem[]
  /** The places that stand with it. */
  spots: readonly Place[]
  /** The spot among them where a step that is dragged would be put. */
  wanted: string | null
}
export type FlowNode = Node<NodeData>

const BeginNode = memo(function BeginNode({ data }: NodeProps<FlowNode>) {
  const t = useT()
  return (
    <>
      <span className={classes.begin}>{t('canvas.begin')}</span>
      <SpotAfter data={data} />
    </>
  )
})

const StepNode = memo(function StepNode({ data, selected }: NodeProps<FlowNode>) {
  const { node } = data
  if (node.kind !== 'step') return null
  return (
    <>
      <StepCard data={data} step={node} selected={selected} folded={node.hidden} />
      <SpotAfter data={data} />
    </>
  )
})

const ContainerNode = memo(function ContainerNode({ data, selected }: NodeProps<FlowNode>) {
  const { node } = data
  if (node.kind !== 'container') return null
  return (
    <div className={classes.container} data-selected={selected || undefined}>
      <div className={classes.head}>
        <StepCard data={data} step={node} selected={selected} folded={false} />
      </div>
      {node.bodies.map((body) => (
        <Body
          key={body.key}
          body={body}
          focused={data.focus === body.key}
          place={data.spots.find((place) => place.at === 'into' && place.outcome === body.outcome.name)}
          wanted={data.wanted}
        />
      ))}
      <SpotAfter data={data} />
    </div>
  )
})

/** A step as a card: what it is called, what it does, what is wrong with it. */
function StepCard(props: {
  data: NodeData
  step: { activity: Activity; unreachable: boolean }
  selected: boolean
  /** How many steps are folded away, false where nothing is, null where nothing could be. */
  folded: number | false | null
}) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { fold, menu, rtl } = useCanvas()
  const { data, step, selected, folded } = props
  const { activity, unreachable } = step
  const { problems } = data
  const title = titleOf(activity.type, catalogue)
  const summary = summaryOf(activity)
  const errors = problems.filter(({ severity }) => severity === 'error').length
  const focused = data.focus === activity.id
  const card = useFocusOf<HTMLButtonElement>(focused)
  return (
    <div className={classes.card} dir={rtl ? 'rtl' : 'ltr'}>
      <button
        onContextMenu={(event) => menu(activity.id, event)}
        ref={card}
        type="button"
        className={classes.step}
        tabIndex={focused ? 0 : -1}
        aria-pressed={selected}
        data-selected={selected || undefined}
        data-disabled={activity.disabled || undefined}
        data-tone={errors > 0 ? 'red' : problems.length > 0 ? 'amber' : undefined}
      >
        <span className={classes.icon}>
          <ActivityIcon type={activity.type} size={18} />
        </span>
        <span className={classes.words}>
          <span className={classes.title}>
            <bdi>{activity.name ? activity.name : title}</bdi>
          </span>
          {summary ? (
            <bdi className={classes.summary} dir="ltr">
              {summary}
            </bdi>
          ) : (
            activity.name && <span className={classes.summary}>{title}</span>
          )}
        </span>
        <span className={classes.marks}>
          <StepMark stepId={activity.id} />
          {activity.disabled && <span className={classes.mark}>{t('outline.disabled')}</span>}
          {unreachable && (
            <span className={classes.mark} data-tone="red">
              {t('outline.unreachable')}
            </span>
          )}
          {sideEffectOf(activity) === 'irreversible' && (
            <span className={classes.mark} data-tone="violet" title={t('outline.irreversible')}>
              <IconAlertOctagon size={15} aria-hidden />
              <span className="unseen">{t('outline.irreversible')}</span>
            </span>
          )}
          {problems.length > 0 && (
            <span className={classes.mark} data-tone={errors > 0 ? 'red' : 'amber'}>
              {errors > 0 ? (
                <IconCircleX size={15} aria-hidden />
              ) : (
                <IconAlertTriangle size={15} aria-hidden />
              )}
              <span className="unseen">{t('problems.count', { count: problems.length })}</span>
            </span>
          )}
        </span>
      </button>
      <StepPeople stepId={activity.id} on="card" />
      <StepSaid stepId={activity.id} on="card" />
      {folded !== null && (
        <FoldButton
          label={folded === false ? t('canvas.fold') : t('canvas.unfold', { count: folded })}
          folded={folded === false ? null : folded}
          press={() => fold(activity.id)}
        />
      )}
    </div>
  )
}

/** A column of a container. */
function Body(props: {
  body: CanvasBody
  focused: boolean
  place: Place | undefined
  wanted: string | null
}) {
  const { body, focused } = props
  const t = useT()
  const catalogue = useCatalogueText()
  const { focus, fold, rtl, readOnly } = useCanvas()
  const heading = useFocusOf<HTMLButtonElement>(focused)
  const { x, y, width, height, key, outcome, empty, hidden } = body
  const box: CSSProperties = { insetInlineStart: x, insetBlockStart: y, width, height }
  return (
    <div className={classes.body} style={box}>
      <div className={classes.bodyHead} dir={rtl ? 'rtl' : 'ltr'}>
        <button
          ref={heading}
          type="button"
          className={classes.bodyTitle}
          tabIndex={focused ? 0 : -1}
          data-focused={focused || undefined}
          onClick={(event) => {
            event.stopPropagation()
            focus(key)
          }}
        >
          {catalogue(outcome.labelKey, outcome.labelParams)}
        </button>
        {!empty && (
          <FoldButton
            label={hidden > 0 ? t('canvas.unfold', { count: hidden }) : t('canvas.fold')}
            folded={hidden > 0 ? hidden : null}
            press={() => fold(key)}
          />
        )}
      </div>
      {empty && readOnly && <span className={classes.nothing}>{t('outline.emptyBody')}</span>}
      {props.place && <Spot place={props.place} wanted={props.wanted} top={CANVAS.heading} />}
    </div>
  )
}

function FoldButton(props: { label: string; folded: number | null; press: () => void }) {
  return (
    <button
      type="button"
      className={`${classes.fold} nodrag`}
      tabIndex={-1}
      aria-label={props.label}
      title={props.label}
      data-folded={props.folded !== null || undefined}
      onClick={(event) => {
        event.stopPropagation()
        props.press()
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      {props.folded !== null && <span className="numbers">{props.folded}</span>}
      <IconChevronDown size={14} aria-hidden />
    </button>
  )
}

/** The spot behind a piece: after a step, or before the first. */
function SpotAfter({ data: { node, spots, wanted } }: { data: NodeData }) {
  const place = spots.find(({ at }) => at !== 'into')
  return place && <Spot place={place} wanted={wanted} top={node.height} />
}

/** Where a step can be put: a button for it, and where one that is dragged would land. It stands in the gap below `top`. */
function Spot({ place, wanted, top }: { place: Place; wanted: string | null; top: number }) {
  const t = useT()
  const { add, readOnly } = useCanvas()
  if (readOnly) return null
  return (
    <button
      type="button"
      className={`${classes.spot} nodrag nopan`}
      style={{ insetBlockStart: top + (CANVAS.gap - CANVAS.spot) / 2 }}
      tabIndex={-1}
      aria-label={t('canvas.addHere')}
      title={t('canvas.addHere')}
      data-spot={spotId(place)}
      data-wanted={wanted === spotId(place) || undefined}
      onClick={(event) => {
        event.stopPropagation()
        add(place)
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconPlus size={13} aria-hidden />
    </button>
  )
}

/** Takes the keyboard’s focus along when the step that has it is another one, or is drawn again. */
function useFocusOf<E extends HTMLElement>(focused: boolean) {
  const element = useRef<E>(null)
  const { hasFocus } = useCanvas()
  useEffect(() => {
    if (focused && hasFocus.current) element.current?.focus({ preventScroll: true })
  }, [focused, hasFocus])
  return element
}

/** How each kind of piece is drawn. */
export const nodeTypes: NodeTypes = {
  begin: BeginNode,
  step: StepNode,
  container: ContainerNode,
}
