import { MultiSelect, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { projectTransfer } from '@weft/contract/projects/transfer-api'
import type { Project } from '@weft/contract/projects/schema'
import { workflows } from '@weft/contract/workflows/api'
import { useChange } from '../../../kit/actions/use-change.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { Dialog } from '../values/dialog.tsx'
import { Lacks } from './lacks.tsx'

const SHOWN = 200

/** Moves workflows from elsewhere into a project, or copies them, after saying what they would lack. */
export function TakeDialog({ project, close }: { project: Project; close: () => void }) {
  const t = useT()
  const { id } = project
  const [chosen, setChosen] = useState<string[]>([])
  const [how, setHow] = useState<'copy' | 'move'>('copy')
  const [q, setQ] = useState('')
  const found = useRead(workflows.list, { perPage: SHOWN, sortBy: 'name', ...(q === '' ? {} : { q }) })
  const lacks = useRead(projectTransfer.lacks, { id, workflowIds: chosen }, { enabled: chosen.length > 0 })
  const take = useChange(projectTransfer.takeWorkflows, {
    done: text('kit:toasts.updated'),
    onDone: close,
    invalidates: ['workflows'],
  })
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const elsewhere = (found.data?.data ?? []).filter(({ projectId }) => how === 'copy' || projectId !== id)
  const options = new Map([
    ...chosen.map((one) => [one, names.get(one) ?? one] as const),
    ...elsewhere.map(
      (one) => [one.id, one.projectName ? `${one.name} · ${one.projectName}` : one.name] as const,
    ),
  ])
  const missing = chosen.length > 0 ? (lacks.data ?? []) : []
  const choose = (ids: string[]) => {
    setNames(options)
    setChosen(ids)
  }
  return (
    <Dialog
      title={t('transfer.take')}
      busy={take.isPending}
      close={close}
      disabled={chosen.length === 0 || lacks.data === undefined}
      submitLabel={
        missing.length > 0
          ? t(`transfer.${how}Anyway`)
          : chosen.length === 0
            ? t(`transfer.${how}`)
            : t(`transfer.${how}Now`, { count: chosen.length })
      }
      submit={() =>
        take.mutate({ id, workflowIds: chosen, copy: how === 'copy', anyway: missing.length > 0 })
      }
    >
      <SegmentedControl
        aria-label={t('transfer.how')}
        data={[
          { value: 'copy', label: t('transfer.copy') },
          { value: 'move', label: t('transfer.move') },
        ]}
        value={how}
        onChange={(value) => {
          setHow(value === 'move' ? 'move' : 'copy')
          setChosen([])
        }}
      />
      <Text fz="sm" c="dimmed">
        {t(`transfer.${how}Help`)}
      </Text>
      <MultiSelect
        label={t('transfer.workflows')}
        data={[...options].map(([value, label]) => ({ value, label }))}
        value={chosen}
        onChange={choose}
        searchable
        maxValues={100}
        onSearchChange={setQ}
        nothingFoundMessage={t('transfer.none')}
        comboboxProps={{ withinPortal: true }}
      />
      <Lacks list={missing} title={t('transfer.lacks')} />
    </Dialog>
  )
}
