import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { activities } from '@weft/contract/activities/api'
import { callsIn } from '@weft/workflow/calls'
import type { WorkflowDocument } from '@weft/workflow/document'
import type { FindParameters } from '@weft/workflow/validate'
import { read } from '../../../lib/query.ts'

/** Finds the parameters of the custom activities that a document holds, each of the version that its step names. */
export function useFindParameters(document: WorkflowDocument): FindParameters {
  const wanted = useMemo(() => {
    const calls = callsIn(document).filter(({ kind }) => kind === 'activity')
    return [...new Set(calls.map(({ id, number }) => keyOf(id, number)))].join(' ')
  }, [document])
  const versions = useMemo(
    () =>
      wanted.split(' ').flatMap((key) => {
        const [id = '', number] = key.split('@')
        return id === '' ? [] : [{ key, id, ...(number ? { number: Number(number) } : {}) }]
      }),
    [wanted],
  )
  const found = useQueries({
    queries: versions.map(({ key: _key, ...version }) => read(activities.get, version)),
    combine: parametersOf,
  })
  return useMemo(() => {
    const known = new Map(versions.map(({ key }, index) => [key, found[index]]))
    return (id, number) => known.get(keyOf(id, number))
  }, [versions, found])
}

const keyOf = (id: string, number: number | null) => `${id}@${number ?? ''}`

type Answers = readonly { data: { parameters: NonNullable<ReturnType<FindParameters>> } | undefined }[]

const parametersOf = (answers: Answers) => answers.map(({ data }) => data?.parameters)
