import { useQuery } from '@tanstack/react-query'
import { avatars } from '@weft/contract/access/avatar/api'
import { call } from '../../lib/api.ts'
import { initialsOf } from './initials.ts'
import classes from './values.module.css'

/** A person's picture, or the initials of their name. `avatar` is what their record says of it. */
export function Avatar(props: { id: string; name: string; avatar: string | null; size?: number }) {
  const { id, name, avatar, size = 36 } = props
  const { data } = useQuery({
    // Under a name of its own: a picture never changes, its name does.
    queryKey: ['picture', id, avatar],
    queryFn: async ({ signal }) => {
      const answer = await call(avatars.get, { id, v: avatar ?? '' }, { signal })
      return URL.createObjectURL(await answer.blob())
    },
    enabled: avatar !== null,
    staleTime: Infinity,
    retry: false,
  })
  const style = { width: size, height: size, fontSize: Math.round(size * 0.38) }
  // Drawn by the style sheet: letters that mean nothing by themselves are no text of the button around them.
  return avatar !== null && data ? (
    <span className={classes.avatar} style={style} aria-hidden>
      <img src={data} alt="" />
    </span>
  ) : (
    <span className={classes.avatar} style={style} data-initials={initialsOf(name)} aria-hidden />
  )
}
