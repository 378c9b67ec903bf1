import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Filters, SearchFilter } from './filters.tsx'
import type { ListHandle } from './handle.ts'

/** A list within a page of something else: its search above its table, and below it what belongs to it. */
export function ListInPage<T>({ of, children }: { of: ListHandle<T>; children?: ReactNode }) {
  return (
    <Stack gap={12}>
      <Filters of={of}>
        <SearchFilter />
      </Filters>
      {of.table}
      {children}
    </Stack>
  )
}
