import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { audit } from '@weft/contract/audit/api'
import type { AuditRow } from '@weft/contract/audit/schema'
import { deedColumn } from '../../../features/audit/deed-column.tsx'
import { AuditDrawer } from '../../../features/audit/drawer.tsx'
import { deedWords, useT } from '../../../features/audit/text.ts'
import { ExportButton } from '../../../kit/actions/export-button.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { Filters, SearchFilter, SelectFilter } from '../../../kit/list/filters.tsx'
import { useResourceTable } from '../../../kit/list/use-resource-table.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { useRead } from '../../../lib/query.ts'

const col = columnsOf<AuditRow>()
const HOUR_MS = 3_600_000
const PERIODS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 168 * HOUR_MS, month: 720 * HOUR_MS } as const
const PERIOD_NAMES = ['hour', 'day', 'week', 'month'] as const

/** Who changed what, when and from where. */
export default function AuditPage() {
  const t = useT()
  const [open, setOpen] = useState<AuditRow | null>(null)
  const [period, setPeriod] = useState<string | null>(null)
  const names = useRead(audit.names, {}).data ?? { features: [], labels: [] }
  const list = useResourceTable(audit.list, {
    columns: [
      deedColumn(setOpen),
      col.cell('actorName', (row) => <bdi>{row.actorName || t('program')}</bdi>),
      col.date('at'),
      col.option('feature'),
      col.ltr('address'),
      col.code('recordId', { hidden: true, label: 'record' }),
    ],
    openTo: () => null,
    nameOf: ({ label }) => deedWords(label),
    selectable: false,
    perPage: 25,
  })
  const { filters } = list.state
  const set = (name: string, value: string) => {
    const { [name]: _old, ...others } = filters
    list.setState({ filters: value ? { ...others, [name]: value } : others })
  }
  const words = Object.fromEntries(names.labels.map((label) => [label, deedWords(label)]))
  return (
    <Page title={t('title')} lead={t('lead')} actions={<ExportButton for={audit.export} of={list} />}>
      <Filters of={list}>
        <SearchFilter />
        <SelectFilter name="feature" options={names.features} />
        <SelectFilter name="label" options={names.labels} labels={words} />
        <Select
          w={160}
          aria-label={t('filters.since')}
          data={[
            { value: '', label: t('filters.any') },
            ...PERIOD_NAMES.map((name) => ({ value: name, label: t(`filters.${name}`) })),
          ]}
          value={filters['from'] ? (period ?? null) : ''}
          placeholder={t('filters.since')}
          allowDeselect={false}
          onChange={(chosen) => {
            setPeriod(chosen)
            const name = PERIOD_NAMES.find((one) => one === chosen)
            set('from', name ? new Date(Date.now() - PERIODS[name]).toISOString() : '')
          }}
        />
        <TextInput
          key={filters['address'] ?? ''}
          w={160}
          dir="ltr"
          aria-label={t('filters.address')}
          placeholder={t('filters.address')}
          defaultValue={filters['address'] ?? ''}
          onBlur={(event) => set('address', event.currentTarget.value.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') set('address', event.currentTarget.value.trim())
          }}
        />
      </Filters>
      {list.table}
      <AuditDrawer
        row={open}
        close={() => setOpen(null)}
        narrow={(only) => {
          setOpen(null)
          list.setState({ q: '', filters: { ...only } })
        }}
      />
    </Page>
  )
}
