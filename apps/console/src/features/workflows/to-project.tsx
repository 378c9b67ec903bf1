import { SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { projects } from '@weft/contract/projects/api'
import { MAX_MOVED } from '@weft/contract/projects/transfer'
import { projectTransfer } from '@weft/contract/projects/transfer-api'
import { call } from '../../lib/api.ts'
import { confirm } from '../../kit/confirm/confirm.ts'
import { Failure } from '../../kit/states/states.tsx'
import { text } from '../../lib/i18n/texts.ts'
import { invalidateFeatures, useRead } from '../../lib/query.ts'
import { useT as useProjectText } from '../projects/text.ts'
import { Lacks } from '../projects/transfer/lacks.tsx'
import { useT } from './text.ts'

/** What was chosen: the project, and whether copies go there or the workflows themselves. */
export interface ToProject {
  id: string
  name: string
  copy: boolean
  /** It was said what the project lacks, and is meant all the same. */
  anyway: boolean
}

/**
 * Asks into which project workflows are to be moved or copied, says what they would lack there, and takes them there;
 * null where the person gives up.
 */
export async function takeToProject(name: string, workflowIds: readonly string[]): Promise<ToProject | null> {
  const answer: { chosen: ToProject | null; taken: ToProject | null } = { chosen: null, taken: null }
  const agreed = await confirm({
    title: text('workflows:actions.toProject'),
    name,
    text: text('workflows:toProject.text'),
    body: (block) => (
      <Choice
        workflowIds={workflowIds}
        choose={(next, label) => {
          answer.chosen = next
          block(next === null, label)
        }}
      />
    ),
    confirmLabel: text('workflows:actions.toProject'),
    danger: false,
    run: async () => {
      const { chosen } = answer
      if (!chosen) return
      await take(chosen, workflowIds)
      answer.taken = chosen
    },
  })
  return agreed ? answer.taken : null
}

async function take({ id, copy, anyway }: ToProject, workflowIds: readonly string[]): Promise<void> {
  try {
    await call(projectTransfer.takeWorkflows, { id, workflowIds: [...workflowIds], copy, anyway })
  } catch (error) {
    // The project may lack something since it was asked.
    void invalidateFeatures(['projects'])
    throw error
  }
}

const SHOWN = 50

function Choice(props: {
  workflowIds: readonly string[]
  choose: (next: ToProject | null, label: string) => void
}) {
  const t = useT()
  const say = useProjectText()
  const { choose } = props
  const workflowIds = [...props.workflowIds]
  const [how, setHow] = useState<'copy' | 'move'>('copy')
  const [q, setQ] = useState('')
  const [settled] = useDebouncedValue(q, 200)
  const [project, setProject] = useState<{ id: string; name: string } | null>(null)
  const tooMany = workflowIds.length > MAX_MOVED
  const found = useRead(
    projects.list,
    {
      status: ['active'],
      perPage: SHOWN,
      sortBy: 'name',
      ...(settled && settled !== project?.name ? { q: settled } : {}),
    },
    { keep: true },
  )
  const lacks = useRead(
    projectTransfer.lacks,
    { id: project?.id ?? '', workflowIds },
    { enabled: project !== null && !tooMany },
  )
  const options = new Map((found.data?.data ?? []).map(({ id, name }) => [id, name]))
  if (project) options.set(project.id, project.name)
  const missing = project ? lacks.data : undefined
  const words =
    missing && missing.length > 0
      ? say(`transfer.${how}Anyway`)
      : project
        ? say(`transfer.${how}Now`, { count: workflowIds.length })
        : say(`transfer.${how}`)
  useEffect(() => {
    choose(
      project && missing ? { ...project, copy: how === 'copy', anyway: missing.length > 0 } : null,
      words,
    )
    // What `choose` does stays the same while the question is open.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [project, missing, how, words])
  if (tooMany)
    return (
      <Text mt="md" role="alert">
        {t('toProject.tooMany', { count: MAX_MOVED })}
      </Text>
    )
  return (
    <Stack gap={14} mt="md">
      <SegmentedControl
        aria-label={say('transfer.how')}
        data={[
          { value: 'copy', label: say('transfer.copy') },
          { value: 'move', label: say('transfer.move') },
        ]}
        value={how}
        onChange={(value) => setHow(value === 'move' ? 'move' : 'copy')}
      />
      <Text fz="sm" c="dimmed">
        {say(`transfer.${how}Help`)}
      </Text>
      <Select
        label={t('fields.projectName')}
        data={[...options].map(([value, label]) => ({ value, label }))}
        value={project?.id ?? null}
        onChange={(id) => setProject(id === null ? null : { id, name: options.get(id) ?? '' })}
        searchable
        clearable
        onSearchChange={setQ}
        nothingFoundMessage={t('toProject.none')}
        data-autofocus
        // The list lies over the question.
        comboboxProps={{ zIndex: 400 }}
      />
      {found.error && <Failure error={found.error} retry={() => void found.refetch()} />}
      {lacks.error && <Failure error={lacks.error} retry={() => void lacks.refetch()} />}
      <Lacks list={missing ?? []} title={say('transfer.lacks')} />
    </Stack>
  )
}
