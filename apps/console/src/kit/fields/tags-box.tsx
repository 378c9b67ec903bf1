import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { MOST_TAGS } from '@weft/contract/core/resource'
import { callAny } from '../../lib/api.ts'

const SETTLED_MS = 200

/** Words of one's own, parted by commas, semicolons or lines. With `from`, the tags that there are already are offered. */
export function TagsBox({ from, ...props }: TagsInputProps & { from?: Endpoint | undefined }) {
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), SETTLED_MS)
  const all = useTags(from, '')
  // So few are all that there are: the input finds among them by itself.
  const narrowed = useTags(all.length < MOST_TAGS ? undefined : from, settled)
  return (
    <TagsInput
      data={[...new Set([...narrowed, ...all])]}
      searchValue={typed}
      onSearchChange={setTyped}
      splitChars={[',', ';', '\n', '،']}
      acceptValueOnBlur
      {...props}
    />
  )
}

function useTags(from: Endpoint | undefined, q: string): readonly string[] {
  const { data } = useQuery({
    queryKey: [from?.name ?? '', { q }],
    queryFn: async ({ signal }) =>
      from ? z.array(z.string()).parse(await callAny(from, q === '' ? {} : { q }, { signal })) : [],
    enabled: from !== undefined,
  })
  return data ?? []
}
