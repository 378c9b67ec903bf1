import { Button, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { TagsBox } from '../fields/tags-box.tsx'
import { PopupWindow } from '../popup/window.tsx'
import type { PopupParts } from '../popup/popup.tsx'
import { PLAIN_FIELD } from './field-input.tsx'
import { MORE_FILTERS, moreFiltersOf, type MoreFilter } from './more-filters-of.ts'
import { useListText } from './text.ts'
import type { ListHandle } from './handle.ts'
import classes from './panels.module.css'

/** Filters of every list of records: tags, when it was made, whether it is used. */
export function MoreFilters({ list, parts }: { list: ListHandle; parts: PopupParts }) {
  return (
    <PopupWindow parts={parts} position="bottom-end" width={336}>
      <Fields list={list} />
    </PopupWindow>
  )
}

function Fields({ list }: { list: ListHandle }) {
  const t = useListText()
  const kit = useKitText()
  const id = useId()
  const { filters } = list.state
  const has = moreFiltersOf(list.filterNames)
  const set = (change: Partial<Record<MoreFilter, string>>) => {
    const next = Object.fromEntries(
      Object.entries({ ...filters, ...change }).filter(([, value]) => value !== undefined && value !== ''),
    )
    list.setState({ filters: next })
  }
  const [tags, setTags] = useState(() => (filters['tags'] ?? '').split(',').filter(Boolean))
  return (
    <Stack gap={12}>
      {has.includes('tags') && (
        <TagsBox
          from={list.options.resource?.tags}
          size="xs"
          label={kit('fields.tags')}
          description={t('filters.tagsHelp')}
          value={tags}
          styles={PLAIN_FIELD}
          // A click beside the window closes it.
          comboboxProps={{ withinPortal: false }}
          onChange={(next) => {
            setTags(next)
            set({ tags: next.join(',') })
          }}
        />
      )}
      {has.includes('createdFrom') && (
        <div className={classes.pair}>
          <TextInput
            size="xs"
            type="date"
            label={t('filters.createdFrom')}
            value={dayOf(filters['createdFrom'])}
            onChange={(event) => set({ createdFrom: startOf(event.currentTarget.value, 0) })}
          />
          <TextInput
            size="xs"
            type="date"
            label={t('filters.createdTo')}
            value={dayOf(filters['createdTo'], -1)}
            onChange={(event) => set({ createdTo: startOf(event.currentTarget.value, 1) })}
          />
        </div>
      )}
      {has.includes('used') && (
        <div>
          <div id={id} className={classes.label}>
            {t('filters.used')}
          </div>
          <SegmentedControl
            size="xs"
            fullWidth
            aria-labelledby={id}
            value={filters['used'] ?? ''}
            data={[
              { value: '', label: kit('common.any') },
              { value: 'true', label: kit('common.yes') },
              { value: 'false', label: kit('common.no') },
            ]}
            onChange={(value) => set({ used: value })}
          />
        </div>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        disabled={!MORE_FILTERS.some((name) => filters[name] !== undefined)}
        onClick={() => {
          setTags([])
          set({ tags: '', createdFrom: '', createdTo: '', used: '' })
        }}
      >
        {kit('common.clear')}
      </Button>
    </Stack>
  )
}

/** The moment at which a day begins here, some days later; empty for none. */
function startOf(day: string, later: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  if (!year || !month || !date) return ''
  return new Date(year, month - 1, date + later).toISOString()
}

/** The day here that a moment belongs to, some days later. */
function dayOf(moment: string | undefined, later = 0): string {
  const at = moment ? new Date(moment) : null
  if (!at || Number.isNaN(at.getTime())) return ''
  at.setDate(at.getDate() + later)
  const two = (n: number) => String(n).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
