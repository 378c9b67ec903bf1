import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { MOST_TAGS } from '@weft/contract/core/resource'
import { NO_ENDPOINT, readAny } from '../../lib/query.ts'

const SETTLED_MS = 200
const tags = z.array(z.string())

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
    ...readAny(from ?? NO_ENDPOINT, q === '' ? {} : { q }),
    select: (found) => tags.parse(found),
    enabled: from !== undefined,
  })
  return data ?? []
}
