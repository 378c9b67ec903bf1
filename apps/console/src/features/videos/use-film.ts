import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { videos } from '@weft/contract/videos/api'
import { call } from '../../lib/api.ts'

/** Well before the ticket ends. */
const RENEWED_AFTER_MS = 3 * 3_600_000
/** A player that fails again within this time is not helped by yet another ticket. */
const HELPED_MS = 10_000

/** Where a player is, so that it goes on there from another address. */
interface Place {
  at: number
  playing: boolean
}

/**
 * The address that a player plays from. It needs a ticket, which ends; a new one is used only when the old one does not
 * serve any more, since another address begins the film anew.
 */
export function useFilm(id: string) {
  const player = useRef<HTMLVideoElement>(null)
  const ticket = useQuery({
    // Under a name of its own: it is the same whatever changes of the video.
    queryKey: ['ticket', id],
    queryFn: ({ signal }) => call(videos.play, { id }, { signal }),
    staleTime: RENEWED_AFTER_MS,
    gcTime: RENEWED_AFTER_MS,
    refetchOnWindowFocus: true,
  })
  const newest = ticket.data?.url ?? null
  const [used, setUsed] = useState(newest)
  if (used === null && newest !== null) setUsed(newest)
  const [broken, setBroken] = useState(false)
  const back = useRef<Place | null>(null)
  const helped = useRef(-Infinity)

  const onError = async () => {
    const film = player.current
    if (!film) return
    if (performance.now() - helped.current < HELPED_MS) return setBroken(true)
    helped.current = performance.now()
    back.current = { at: film.currentTime, playing: !film.paused }
    const { data, isError } = await ticket.refetch()
    if (!data || isError) return setBroken(true)
    setBroken(false)
    setUsed(data.url)
    if (data.url === used) film.load()
    return undefined
  }
  const onLoadedMetadata = () => {
    setBroken(false)
    const film = player.current
    const place = back.current
    back.current = null
    if (!film || !place) return
    film.currentTime = place.at
    if (place.playing)
      film.play().catch(() => {
        // The browser wants a click first; the film stands where it was.
      })
  }
  return {
    player,
    /** Null until the first ticket has come. */
    address: used,
    /** For what is fetched beside the film. */
    newest,
    error: newest === null ? ticket.error : null,
    /** It cannot be played: not the bytes, or not by this browser. */
    broken,
    retry: () => {
      helped.current = -Infinity
      if (newest === null) void ticket.refetch()
      else void onError()
    },
    onError: () => void onError(),
    onLoadedMetadata,
  }
}
