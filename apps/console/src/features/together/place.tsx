import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { useTogether } from './together.ts'

/** Leads to the comments that somebody asks for at a step. */
export function CommentsPlace() {
  const together = useTogether()
  const [, setSearch] = useSearchParams()
  useEffect(
    () =>
      together.wanted.on(({ activityId, write }) =>
        setSearch(
          () =>
            new URLSearchParams({
              tab: 'comments',
              ...(activityId === null ? {} : { step: activityId }),
              ...(write ? { write: '1' } : {}),
            }),
          { preventScrollReset: true },
        ),
      ),
    [together, setSearch],
  )
  return null
}
