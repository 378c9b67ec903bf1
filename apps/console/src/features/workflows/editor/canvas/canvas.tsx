import '@xyflow/react/dist/base.css'
import { ActionIcon, Tooltip } from '@mantine/core'
import { useReducedMotion } from '@mantine/hooks'
import { IconFocusCentered, IconMinus, IconPlus, IconZoomScan } from '@tabler/icons-react'
import {
  Background,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStoreApi,
  type AriaLabelConfig,
  type NodeChange,
  type XYPosition,
} from '@xyflow/react'
import { memo, useEffect, useMemo, useRef, useState, type DragEvent } from 'react'
import type { Place } from '@weft/workflow/operations'
import { useLanguage } from '../../../../lib/i18n/texts.ts'
import { useSteady } from '../../../../lib/use-latest.ts'
import { CANVAS, boxesOf, nearestPlace, type CanvasLayout } from '../../model/canvas/layout.ts'
import { addAt, moveTo, selectSteps, toggleFold } from '../../model/commands.ts'
import { focusRow } from '../../model/editor-state.ts'
import { closedTo } from '../../model/edit.ts'
import { useT } from '../../text.ts'
import { useEditor, useEditorState } from '../context.ts'
import { useHasFocus } from '../outline/use-has-focus.ts'
import { menuPlace } from '../test/menu-place.ts'
import { useTestDesk } from '../test/test-desk.ts'
import { useStepCommands, type StepSurroundings } from '../use-step-commands.ts'
import { CanvasContext, type CanvasActs } from './canvas-context.ts'
import classes from './canvas.module.css'
import { nodeTypes, type FlowNode } from './nodes.tsx'
import { Palette } from './palette.tsx'
import { DRAGGED_TYPE } from './dragged-type.ts'
import { useAbove } from './use-above.ts'
import { useBroughtIntoSight } from './use-brought-into-sight.ts'
import { useFlow, type Drag } from './use-flow.ts'

/** How near, at a zoom of 1, a step must be let go for it to land. */
const REACH = 90
/** From so many steps on only those in sight are drawn. */
const MANY = 120
const SMALLEST = 0.2
/** Fewer steps than these are seen at once. */
const WORTH_A_MAP = 12
const SEVERAL_KEYS = ['Meta', 'Control']

interface CanvasProps extends StepSurroundings {
  /** Asks which activity is to be put at a place. */
  addAtPlace: (place: Place) => void
}

/** The steps as a drawing: the same document as the outline, changed by the same commands. */
export default function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Drawn {...props} />
    </ReactFlowProvider>
  )
}

function Drawn({ addAtPlace, addBelow, openPanel }: CanvasProps) {
  const t = useT()
  const { update, readOnly, document } = useEditor()
  const state = useEditorState()
  const desk = useTestDesk()
  const { rtl } = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  const hasFocus = useHasFocus(box)
  useAbove(box)
  const [drag, setDrag] = useState<Drag | null>(null)
  const { layout, nodes, edges } = useFlow(rtl, drag)
  const flow = useReactFlow()
  const keys = useStepCommands({ addBelow, openPanel })
  const atBeginning = useBeginning(layout)
  useInSight(layout, state.focus)
  const onScroll = useBroughtIntoSight()

  const acts = useMemo<CanvasActs>(
    () => ({
      add: addAtPlace,
      fold: (key) => update((now) => toggleFold(now, key)),
      focus: (key) => update((now) => focusRow(now, key)),
      menu: (stepId, event) => {
        event.preventDefault()
        update((now) => focusRow(now, stepId))
        desk.menu.set({ stepId, ...menuPlace(event) })
      },
      readOnly,
      rtl,
      hasFocus,
    }),
    [addAtPlace, update, readOnly, rtl, hasFocus, desk],
  )

  const pointAt = (event: { clientX: number; clientY: number }) =>
    flow.screenToFlowPosition({ x: event.clientX, y: event.clientY })
  const allowed = (ids: Iterable<string>) => {
    const isClosed = closedTo(document, ids)
    return (place: Place) => !isClosed(place)
  }

  // The drawing library tells all that is drawn of each handler that is another one than before.
  const onNodesChange = useSteady((changes: NodeChange<FlowNode>[]) => {
    const selected = new Set(state.selected)
    let chosen: string | null = null
    const moved = new Map<string, XYPosition>()
    for (const change of changes) {
      if (change.type === 'select') {
        if (!change.selected) selected.delete(change.id)
        else {
          selected.add(change.id)
          chosen ??= change.id
        }
      } else if (change.type === 'position' && change.dragging === true && change.position) {
        moved.set(change.id, change.position)
      }
    }
    if (changes.some(({ type }) => type === 'select'))
      update((now) => (chosen === null ? { ...now, selected } : selectSteps(now, [chosen, ...selected])))
    if (moved.size > 0)
      setDrag((now) => ({ at: new Map([...(now?.at ?? []), ...moved]), place: now?.place ?? null }))
  })

  const onDrag = useSteady((event: MouseEvent | TouchEvent, _node: FlowNode, dragged: FlowNode[]) => {
    const place = nearestPlace(
      layout.nodes,
      pointAt(pointerOf(event)),
      REACH,
      allowed(dragged.map(({ id }) => id)),
    )
    setDrag((now) => ({ at: now?.at ?? new Map(), place }))
  })
  const onDragStop = useSteady((_event: MouseEvent | TouchEvent, _node: FlowNode, dragged: FlowNode[]) => {
    const place = drag?.place
    setDrag(null)
    if (place) update((now) => moveTo(now, new Set(dragged.map(({ id }) => id)), place, Date.now()))
  })

  const onDragOver = (event: DragEvent) => {
    if (readOnly || !event.dataTransfer.types.includes(DRAGGED_TYPE)) return
    event.preventDefault()
    setDrag({ at: new Map(), place: nearestPlace(layout.nodes, pointAt(event), REACH * 2) })
  }
  const onDrop = (event: DragEvent) => {
    const type = event.dataTransfer.getData(DRAGGED_TYPE)
    const place = drag?.place
    setDrag(null)
    if (!type || !place) return
    event.preventDefault()
    update((now) => addAt(now, type, Date.now(), place))
  }

  return (
    <CanvasContext value={acts}>
      {/* An application to those who hear the page: the keys are its own. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <div
        ref={box}
        className={classes.canvas}
        role="application"
        aria-label={t('canvas.label')}
        // Coordinates run from left to right; what is written in them has its own direction.
        dir="ltr"
        tabIndex={-1}
        {...keys}
        onDragOver={onDragOver}
        onDragLeave={() => setDrag(null)}
        onDrop={onDrop}
        onScrollCapture={onScroll}
      >
        <ReactFlow
          nodes={nodes}
          edges={edges}
          nodeTypes={nodeTypes}
          onNodesChange={onNodesChange}
          onNodeDrag={onDrag}
          onNodeDragStop={onDragStop}
          onNodeDoubleClick={openPanel}
          onlyRenderVisibleElements={document.activities.length > MANY}
          nodesFocusable={false}
          edgesFocusable={false}
          nodesConnectable={false}
          disableKeyboardA11y
          deleteKeyCode={null}
          multiSelectionKeyCode={SEVERAL_KEYS}
          selectNodesOnDrag={false}
          nodeDragThreshold={4}
          elevateNodesOnSelect={false}
          zIndexMode="manual"
          panOnScroll
          zoomOnDoubleClick={false}
          minZoom={SMALLEST}
          maxZoom={1.5}
          ariaLabelConfig={useAriaTexts()}
        >
          <Background gap={24} />
          {document.activities.length > WORTH_A_MAP && (
            <MiniMap pannable zoomable className={classes.map ?? ''} nodeClassName={mapClass} />
          )}
          <Panel position="bottom-left">
            <Zoom atBeginning={atBeginning} />
          </Panel>
          {!readOnly && (
            <Panel position={rtl ? 'top-right' : 'top-left'}>
              <Palette />
            </Panel>
          )}
        </ReactFlow>
      </div>
    </CanvasContext>
  )
}

const mapClass = ({ type }: FlowNode) => classes[`map-${type ?? ''}`] ?? ''

function pointerOf(event: MouseEvent | TouchEvent): { clientX: number; clientY: number } {
  if ('clientX' in event) return event
  return event.touches[0] ?? event.changedTouches[0] ?? { clientX: 0, clientY: 0 }
}

/** What the drawing library says to those who hear the page. */
function useAriaTexts(): Partial<AriaLabelConfig> {
  const t = useT()
  return useMemo(
    () => ({
      'minimap.ariaLabel': t('canvas.map'),
      'node.a11yDescription.default': t('canvas.label'),
      'node.a11yDescription.keyboardDisabled': t('canvas.label'),
      'edge.a11yDescription.default': t('canvas.label'),
    }),
    [t],
  )
}

const Zoom = memo(function Zoom({ atBeginning }: { atBeginning: () => void }) {
  const t = useT()
  const { zoomIn, zoomOut, fitView } = useReactFlow()
  // It opens at the beginning, in a size that can be read.
  const opened = useRef(false)
  useEffect(() => {
    if (opened.current) return
    opened.current = true
    atBeginning()
  }, [atBeginning])
  const buttons = [
    ['zoomIn', IconPlus, () => void zoomIn()],
    ['zoomOut', IconMinus, () => void zoomOut()],
    ['whole', IconZoomScan, () => void fitView({ padding: 0.06 })],
    ['beginning', IconFocusCentered, atBeginning],
  ] as const
  return (
    <div className={classes.zoom}>
      {buttons.map(([name, Icon, press]) => (
        <Tooltip key={name} label={t(`canvas.${name}`)} position="top">
          <ActionIcon size={30} variant="default" aria-label={t(`canvas.${name}`)} onClick={press}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  )
})

/** Shows the beginning, as large as its width allows. */
function useBeginning(layout: CanvasLayout): () => void {
  const { setViewport } = useReactFlow()
  const store = useStoreApi()
  return useSteady(() => {
    const room = store.getState().width
    const { nodes, width } = layout
    const begin = nodes.find(({ kind }) => kind === 'begin')
    if (!begin || room === 0) return
    const zoom = Math.min(1, Math.max(0.5, (room - 48) / width))
    const middle = begin.x + begin.width / 2
    void setViewport({ x: room / 2 - middle * zoom, y: 24, zoom })
  })
}

/** Brings what has the focus into sight, where it is not. */
function useInSight(layout: CanvasLayout, focus: string | null): void {
  const { setCenter, getViewport } = useReactFlow()
  const store = useStoreApi()
  const still = useReducedMotion()
  const seen = useRef(focus)
  useEffect(() => {
    if (focus === seen.current) return
    seen.current = focus
    const box = focus === null ? undefined : boxOf(layout, focus)
    if (!box) return
    const { x, y, zoom } = getViewport()
    const { width, height } = store.getState()
    const [left, top] = [box.x * zoom + x, box.y * zoom + y]
    const inside =
      left >= 0 && top >= 0 && left + box.width * zoom <= width && top + box.height * zoom <= height
    if (!inside)
      void setCenter(box.x + box.width / 2, box.y + box.height / 2, { zoom, duration: still ? 0 : 160 })
  }, [layout, focus, setCenter, getViewport, store, still])
}

function boxOf({ nodes }: CanvasLayout, key: string) {
  const boxes = boxesOf(nodes)
  const box = boxes.get(key)
  // Of a container it is the card that is looked at.
  if (box) return { ...box, height: Math.min(box.height, CANVAS.step.height + CANVAS.padding) }
  for (const node of nodes) {
    if (node.kind !== 'container') continue
    const body = node.bodies.find((one) => one.key === key)
    const around = boxes.get(node.id)
    if (body && around)
      return { x: around.x + body.x, y: around.y + body.y, width: body.width, height: CANVAS.heading }
  }
  return undefined
}
