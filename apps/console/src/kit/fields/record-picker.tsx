import { Combobox, Input, InputBase, Loader, Pill, PillsInput, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { Endpoint } from '@weft/contract/core/endpoint'
import type { ListResult } from '@weft/contract/core/list'
import type { z } from 'zod'
import { useState, type ReactNode } from 'react'
import { callAny } from '../../lib/api.ts'
import { useKitText } from '../../lib/i18n/texts.ts'

const SHOWN = 20

/** A call that lists records. */
export type ListEndpoint = Endpoint & { readonly list: z.ZodType }
/** One row of a list call. */
export type RowOf<E extends ListEndpoint> = z.output<E['list']>

/** What a picker of records needs. */
export interface PickerSource<E extends ListEndpoint> {
  from: E
  /** The call that gives one record, to name what is chosen already; else the name is looked for in the list. */
  get?: Endpoint
  label: (row: RowOf<E>) => string
  /** A second line or the like. */
  detail?: (row: RowOf<E>) => ReactNode
  /** What always goes with the search, such as a project. */
  filter?: Readonly<Record<string, unknown>>
}

function useSearch<E extends ListEndpoint>(source: PickerSource<E>, q: string, enabled: boolean) {
  const [settled] = useDebouncedValue(q, 200)
  const input = { ...source.filter, page: 1, perPage: SHOWN, ...(settled ? { q: settled } : {}) }
  return useQuery({
    queryKey: [source.from.name, 'pick', input],
    queryFn: async ({ signal }) =>
      ((await callAny(source.from, input, { signal })) as ListResult<RowOf<E>>).data,
    enabled,
    placeholderData: keepPreviousData,
  })
}

function idOf(row: unknown): string {
  return row !== null && typeof row === 'object' && 'id' in row && typeof row.id === 'string' ? row.id : ''
}

/** The words for ids that are chosen already. */
function useChosen<E extends ListEndpoint>(
  source: PickerSource<E>,
  ids: readonly string[],
  known: RowOf<E>[],
) {
  const missing = ids.filter((id) => !known.some((row) => idOf(row) === id))
  const loaded = useQueries({
    queries: missing.map((id) => ({
      queryKey: [source.get?.name ?? source.from.name, { id }],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        callAny(source.get ?? source.from, { id }, { signal }),
      enabled: source.get !== undefined,
      retry: false,
    })),
  })
  return (id: string): string => {
    const row = known.find((one) => idOf(one) === id) ?? loaded.find(({ data }) => idOf(data) === id)?.data
    return row ? source.label(row as RowOf<E>) : `${id.slice(0, 8)}…`
  }
}

function Options<E extends ListEndpoint>({ source, rows }: { source: PickerSource<E>; rows: RowOf<E>[] }) {
  return rows.map((row) => (
    <Combobox.Option key={idOf(row)} value={idOf(row)}>
      <div>
        <bdi>{source.label(row)}</bdi>
      </div>
      {source.detail && <div style={{ color: 'var(--text-dim)', fontSize: 12 }}>{source.detail(row)}</div>}
    </Combobox.Option>
  ))
}

/** Chooses one record by searching a list; works outside of forms too. */
export function RecordPicker<E extends ListEndpoint>(props: {
  source: PickerSource<E>
  id?: string
  value: string | null
  onChange: (id: string | null, row: RowOf<E> | null) => void
  onLeave?: () => void
  placeholder?: string
  error?: boolean
  disabled?: boolean
  clearable?: boolean
  label?: string
  /** Takes the focus when it comes, and with `click` opens at once: it stands where something lighter was used. */
  begin?: 'focus' | 'click'
  /** It stands in a small window, which a click beside it closes: what it offers is shown within. */
  inPopup?: boolean
  aria?: Record<string, string | boolean>
}) {
  const t = useKitText()
  const combobox = useCombobox({
    defaultOpened: props.begin === 'click',
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const [typed, setTyped] = useState<string | null>(null)
  const search = useSearch(props.source, typed ?? '', combobox.dropdownOpened)
  const rows = search.data ?? []
  const wordsOf = useChosen(props.source, props.value ? [props.value] : [], rows)
  const shown = typed ?? (props.value ? wordsOf(props.value) : '')
  const close = () => {
    combobox.closeDropdown()
    setTyped(null)
  }
  return (
    <Combobox
      store={combobox}
      withinPortal={props.inPopup !== true}
      onOptionSubmit={(id) => {
        props.onChange(id, rows.find((row) => idOf(row) === id) ?? null)
        close()
      }}
    >
      <Combobox.Target>
        <InputBase
          id={props.id}
          aria-label={props.label}
          value={shown}
          placeholder={props.placeholder ?? t('form.searchToChoose')}
          error={props.error}
          disabled={props.disabled}
          autoComplete="off"
          autoFocus={props.begin !== undefined}
          rightSectionPointerEvents="all"
          rightSection={
            search.isFetching && combobox.dropdownOpened ? (
              <Loader size={14} />
            ) : props.clearable && props.value && !props.disabled ? (
              <Input.ClearButton aria-label={t('common.clear')} onClick={() => props.onChange(null, null)} />
            ) : (
              <Combobox.Chevron />
            )
          }
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.selectFirstOption()
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            close()
            props.onLeave?.()
          }}
          {...props.aria}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={props.label} mah={280} style={{ overflowY: 'auto' }}>
          {rows.length > 0 ? (
            <Options source={props.source} rows={rows} />
          ) : (
            <Combobox.Empty>{search.isPending ? t('common.loading') : t('form.nothingFound')}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Chooses several records by searching a list. */
export function RecordsPicker<E extends ListEndpoint>(props: {
  source: PickerSource<E>
  id?: string
  value: readonly string[]
  onChange: (ids: string[]) => void
  onLeave?: () => void
  placeholder?: string
  error?: boolean
  disabled?: boolean
  label?: string
  aria?: Record<string, string | boolean>
}) {
  const t = useKitText()
  const combobox = useCombobox()
  const [typed, setTyped] = useState('')
  const search = useSearch(props.source, typed, combobox.dropdownOpened)
  const rows = search.data ?? []
  const wordsOf = useChosen(props.source, props.value, rows)
  const drop = (id: string) => props.onChange(props.value.filter((one) => one !== id))
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        if (props.value.includes(id)) drop(id)
        else props.onChange([...props.value, id])
        setTyped('')
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          error={props.error}
          disabled={props.disabled}
          onClick={() => {
            if (!props.disabled) combobox.openDropdown()
          }}
        >
          <Pill.Group>
            {props.value.map((id) => (
              <Pill key={id} withRemoveButton disabled={Boolean(props.disabled)} onRemove={() => drop(id)}>
                {wordsOf(id)}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                id={props.id}
                aria-label={props.label}
                value={typed}
                placeholder={props.placeholder ?? t('form.searchToChoose')}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => {
                  combobox.closeDropdown()
                  props.onLeave?.()
                }}
                onChange={(event) => {
                  setTyped(event.currentTarget.value)
                  combobox.openDropdown()
                }}
                onKeyDown={(event) => {
                  const last = props.value.at(-1)
                  if (event.key === 'Backspace' && typed === '' && last) drop(last)
                }}
                {...props.aria}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={props.label} mah={280} style={{ overflowY: 'auto' }}>
          {rows.length > 0 ? (
            <Options source={props.source} rows={rows} />
          ) : (
            <Combobox.Empty>{search.isPending ? t('common.loading') : t('form.nothingFound')}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
