import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, type ReactNode, type RefObject } from 'react'

const ROW_HEIGHT = 45

/** All rows of a list, of which only those in view are drawn and looked for. */
export default function WindowedRows(props: {
  count: number
  /** How many cells a row has. */
  span: number
  scroller: RefObject<HTMLElement | null>
  /** Told which rows are in view. */
  look: (from: number, to: number) => void
  row: (at: number) => ReactNode
}) {
  const { count, span, scroller, look } = props
  // Its answers change without new props; nothing here is memoised by them.
  // oxlint-disable-next-line react/incompatible-library
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const [from, to] = [first?.index, last?.index]
  useEffect(() => {
    if (from !== undefined && to !== undefined) look(from, to)
  }, [from, to, look])
  return (
    <tbody>
      {first && first.start > 0 && <Gap height={first.start} span={span} />}
      {items.map(({ index }) => props.row(index))}
      {last && last.end < virtual.getTotalSize() && (
        <Gap height={virtual.getTotalSize() - last.end} span={span} />
      )}
    </tbody>
  )
}

/** Room for the rows that are not drawn. */
function Gap({ height, span }: { height: number; span: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0 }}>
        {''}
      </td>
    </tr>
  )
}
