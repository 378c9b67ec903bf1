import { avatars } from '@weft/contract/access/avatar/api'
import { call } from '../../lib/api.ts'
import { initialsOf } from './initials.ts'
import { usePicture } from './use-picture.ts'
import classes from './values.module.css'

/** A person's picture, or the initials of their name. `avatar` is what their record says of it. */
export function Avatar(props: { id: string; name: string; avatar: string | null; size?: number }) {
  const { id, name, avatar, size = 36 } = props
  const address = usePicture(id, avatar, (v, signal) => call(avatars.get, { id, v }, { signal }))
  const style = { width: size, height: size, fontSize: Math.round(size * 0.38) }
  // Drawn by the style sheet: letters that mean nothing by themselves are no text of the button around them.
  return address ? (
    <span className={classes.avatar} style={style} aria-hidden>
      <img src={address} alt="" />
    </span>
  ) : (
    <span className={classes.avatar} style={style} data-initials={initialsOf(name)} aria-hidden />
  )
}
