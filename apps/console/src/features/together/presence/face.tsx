import { hueOf, initialsOf } from './hues.ts'
import classes from './presence.module.css'

/** Somebody as a round mark with their letters; the name is said beside it. */
export function Face({ userId, name, hue }: { userId: string; name: string; hue?: number }) {
  return (
    <span className={classes.face} data-hue={hue ?? hueOf(userId)} title={name} aria-hidden>
      {initialsOf(name)}
    </span>
  )
}
