import { Dash } from '../../kit/values/values.tsx'
import { useFormats } from '../../lib/formats.ts'

/** A moment to the second: a run is often over within the minute. */
export function Moment({ at }: { at: string | null }) {
  const formats = useFormats()
  if (!at) return <Dash />
  return (
    <time dateTime={at} className="numbers">
      {formats.exact(at)}
    </time>
  )
}
