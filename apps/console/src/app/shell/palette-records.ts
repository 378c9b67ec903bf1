import { useQueries } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { accounts } from '@weft/contract/accounts/api'
import { campaigns } from '@weft/contract/campaigns/api'
import { clients } from '@weft/contract/clients/api'
import { profiles } from '@weft/contract/profiles/api'
import { projects } from '@weft/contract/projects/api'
import { workflows } from '@weft/contract/workflows/api'
import type { Endpoint } from '@weft/contract/core/endpoint'
import { useCan } from '../../lib/can.ts'
import { firstText } from '../../lib/i18n/texts.ts'
import { featureOf, readAny } from '../../lib/query.ts'

/** A list that the palette searches, and where a record of it is shown. */
interface Source {
  list: Endpoint
  to: (id: string) => string
}

const SOURCES: readonly Source[] = [
  { list: campaigns.list, to: (id) => `/cms/campaign/info/${id}` },
  { list: projects.list, to: (id) => `/cms/project/detail/${id}` },
  { list: workflows.list, to: (id) => `/cms/workflow/editor/${id}` },
  { list: clients.list, to: (id) => `/cms/resource/clients/${id}` },
  { list: accounts.list, to: (id) => `/cms/resource/accounts/${id}` },
  { list: profiles.list, to: (id) => `/cms/resource/profiles/${id}` },
]
const SHORTEST = 2
const SHOWN = 5

/** Records whose name fits, by feature. */
export interface RecordResults {
  feature: string
  title: string
  rows: { id: string; name: string; to: string }[]
}

/** Searches the lists that this person may see. */
export function useRecordResults(query: string): RecordResults[] {
  const may = useCan()
  const [settled] = useDebouncedValue(query.trim(), 180)
  const sources = SOURCES.filter(
    ({ list: { access } }) => typeof access === 'object' && may(access.action, access.subject),
  )
  const answers = useQueries({
    queries: sources.map(({ list }) => ({
      ...readAny(list, { q: settled, page: 1, perPage: SHOWN }),
      enabled: settled.length >= SHORTEST,
      retry: false,
    })),
  })
  if (settled.length < SHORTEST) return []
  return sources.map(({ list, to }, at) => {
    const feature = featureOf(list.name)
    return {
      feature,
      title: firstText([`${feature}:title`]) ?? feature,
      rows: rowsOf(answers[at]?.data).map(({ id, name }) => ({ id, name, to: to(id) })),
    }
  })
}

function rowsOf(answer: unknown): { id: string; name: string }[] {
  if (answer === null || typeof answer !== 'object' || !('data' in answer) || !Array.isArray(answer.data))
    return []
  return answer.data.flatMap((row: unknown) => {
    if (row === null || typeof row !== 'object' || !('id' in row) || typeof row.id !== 'string') return []
    const named = ['title', 'name', 'username'].map(
      (key) => Object.entries(row).find(([k]) => k === key)?.[1],
    )
    const name = named.find((value) => typeof value === 'string' && value !== '')
    return typeof name === 'string' ? [{ id: row.id, name }] : []
  })
}
