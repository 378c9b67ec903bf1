import { useRef, type MouseEvent } from 'react'
import classes from './box.module.css'

/** A box to tick. A list has a hundred of them, so it is the browser's own, and as plain as can be. */
export function Box(props: {
  checked: boolean
  mixed?: boolean
  label: string
  onChange: (event: { shiftKey: boolean }) => void
}) {
  const shift = useRef(false)
  const { mixed = false } = props
  return (
    <input
      type="checkbox"
      className={classes.box}
      aria-label={props.label}
      checked={props.checked}
      ref={(box) => {
        if (box) box.indeterminate = mixed
      }}
      onClick={(event: MouseEvent) => {
        shift.current = event.shiftKey
      }}
      onChange={() => props.onChange({ shiftKey: shift.current })}
    />
  )
}
