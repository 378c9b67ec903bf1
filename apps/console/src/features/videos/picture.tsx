import { IconVideo } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { videos } from '@weft/contract/videos/api'
import { call } from '../../lib/api.ts'
import classes from './videos.module.css'

/** The address of the picture that stands for a video, for as long as it is shown; undefined where there is none. */
export function usePicture({ id, poster }: { id: string; poster: string | null }): string | undefined {
  const { data } = useQuery({
    // Under a name of its own: a picture never changes, its name does.
    queryKey: ['picture', id, poster],
    queryFn: async ({ signal }) => {
      const answer = await call(videos.poster, { id, v: poster ?? '' }, { signal })
      return URL.createObjectURL(await answer.blob())
    },
    enabled: poster !== null,
    staleTime: Infinity,
    retry: false,
  })
  return poster === null ? undefined : data
}

/** The picture that stands for a video, small; a sign where there is none. */
export function VideoPicture({ of }: { of: { id: string; poster: string | null } }) {
  const address = usePicture(of)
  return (
    <span className={classes.picture} aria-hidden>
      {address ? <img src={address} alt="" /> : <IconVideo size={16} stroke={1.6} />}
    </span>
  )
}
