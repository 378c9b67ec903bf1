import { IconVideo } from '@tabler/icons-react'
import { videos } from '@weft/contract/videos/api'
import { usePicture } from '../../kit/values/use-picture.ts'
import { call } from '../../lib/api.ts'
import classes from './videos.module.css'

/** The address of the picture that stands for a video; undefined where there is none. */
export function usePoster({ id, poster }: { id: string; poster: string | null }): string | undefined {
  return usePicture(id, poster, (v, signal) => call(videos.poster, { id, v }, { signal }))
}

/** The picture that stands for a video, small; a sign where there is none. */
export function VideoPicture({ of }: { of: { id: string; poster: string | null } }) {
  const address = usePoster(of)
  return (
    <span className={classes.picture} aria-hidden>
      {address ? <img src={address} alt="" /> : <IconVideo size={16} stroke={1.6} />}
    </span>
  )
}
