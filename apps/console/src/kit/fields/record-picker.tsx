import {
  Combobox,
  Group,
  Input,
  InputBase,
  Loader,
  Pill,
  PillsInput,
  useCombobox,
  type ComboboxStore,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCheck } from '@tabler/icons-react'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { Endpoint } from '@weft/contract/core/endpoint'
import type { z } from 'zod'
import { useEffect, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useKitText } from '../../lib/i18n/texts.ts'
import { NO_ENDPOINT, readAny, readList } from '../../lib/query.ts'
import { rowId } from '../list/options.ts'

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
  label(row: RowOf<E>): string
  /** A second line or the like. */
  detail?(row: RowOf<E>): ReactNode
  /** What always goes with the search, such as a project. */
  filter?: Readonly<Record<string, unknown>>
}

interface PickerProps<E extends ListEndpoint> {
  source: PickerSource<E>
  id?: string
  onLeave?: () => void
  placeholder?: string
  error?: boolean
  disabled?: boolean
  label?: string
  aria?: Record<string, string | boolean>
}

interface OnePickerProps<E extends ListEndpoint> extends PickerProps<E> {
  value: string | null
  onChange(id: string | null, row: RowOf<E> | null): void
  clearable?: boolean
  /** Takes the focus when it comes, and with `click` opens at once: it stands where something lighter was used. */
  begin?: 'focus' | 'click'
  /** It stands in a small window, which a click beside it closes: what it offers is shown within. */
  inPopup?: boolean
}

type AnySource = PickerSource<ListEndpoint>

function useSearch(source: AnySource, q: string, enabled: boolean) {
  const [settled] = useDebouncedValue(q, 200)
  const search = useQuery({
    ...readList(source.from, {
      ...source.filter,
      page: 1,
      perPage: SHOWN,
      ...(settled ? { q: settled } : {}),
    }),
    enabled,
    placeholderData: keepPreviousData,
  })
  return { ...search, isOfTyped: settled === q && search.isSuccess && !search.isPlaceholderData }
}

/**
 * Takes the first that was found, once it is what was searched for; until then Enter chooses nothing, and does not send
 * the form either. To be asked at each key.
 */
function useFirstFound(store: ComboboxStore, isFound: boolean) {
  const { selectFirstOption } = store
  useEffect(() => {
    if (isFound) selectFirstOption()
  }, [isFound, selectFirstOption])
  return (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    if (store.dropdownOpened && store.getSelectedOptionIndex() === -1) event.preventDefault()
  }
}

/** The words for ids that are chosen already. */
function useChosen(source: AnySource, ids: readonly string[], known: readonly unknown[]) {
  const missing = ids.filter((id) => !known.some((row) => rowId(row) === id))
  const loaded = useQueries({
    queries: missing.map((id) => ({
      ...readAny(source.get ?? NO_ENDPOINT, { id }),
      enabled: source.get !== undefined,
      retry: false,
    })),
  })
  return (id: string): string => {
    const row = known.find((one) => rowId(one) === id) ?? loaded.find(({ data }) => rowId(data) === id)?.data
    return row ? source.label(row) : `${id.slice(0, 8)}…`
  }
}

/** What is found, or that nothing is; what is chosen already is marked. */
function Found(props: {
  source: AnySource
  label: string | undefined
  rows: readonly unknown[]
  pending: boolean
  chosen: readonly string[]
}) {
  const t = useKitText()
  const { source, rows, chosen } = props
  return (
    <Combobox.Dropdown>
      <Combobox.Options aria-label={props.label} mah={280} style={{ overflowY: 'auto' }}>
        {rows.map((row) => {
          const id = rowId(row)
          const isChosen = chosen.includes(id)
          return (
            <Combobox.Option key={id} value={id} active={isChosen} aria-selected={isChosen}>
              <Group gap={8} wrap="nowrap" justify="space-between">
                <bdi>{source.label(row)}</bdi>
                {isChosen && <IconCheck size={14} aria-hidden />}
              </Group>
              {source.detail && (
                <div style={{ color: 'var(--text-dim)', fontSize: 12 }}>{source.detail(row)}</div>
              )}
            </Combobox.Option>
          )
        })}
        {rows.length === 0 && (
          <Combobox.Empty>{props.pending ? t('common.loading') : t('form.nothingFound')}</Combobox.Empty>
        )}
      </Combobox.Options>
    </Combobox.Dropdown>
  )
}

/** Chooses one record by searching a list; works outside of forms too. */
export function RecordPicker<E extends ListEndpoint>(given: OnePickerProps<E>) {
  const props: OnePickerProps<ListEndpoint> = given
  const t = useKitText()
  const combobox = useCombobox({
    defaultOpened: props.begin === 'click',
    onDropdownClose: () => combobox.resetSelectedOption(),
  })
  const [typed, setTyped] = useState<string | null>(null)
  const search = useSearch(props.source, typed ?? '', combobox.dropdownOpened)
  const onEnter = useFirstFound(combobox, Boolean(typed) && search.isOfTyped)
  const rows = search.data?.data ?? []
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
        props.onChange(id, rows.find((row) => rowId(row) === id) ?? null)
        close()
      }}
    >
      <Combobox.Target withExpandedAttribute>
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
            combobox.resetSelectedOption()
          }}
          onKeyDown={onEnter}
          onClick={() => combobox.openDropdown()}
          onBlur={() => {
            close()
            props.onLeave?.()
          }}
          {...props.aria}
        />
      </Combobox.Target>
      <Found
        source={props.source}
        label={props.label}
        rows={rows}
        pending={search.isPending}
        chosen={props.value ? [props.value] : []}
      />
    </Combobox>
  )
}

/** Chooses several records by searching a list. */
export function RecordsPicker<E extends ListEndpoint>(
  props: PickerProps<E> & { value: readonly string[]; onChange: (ids: string[]) => void },
) {
  const t = useKitText()
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const [typed, setTyped] = useState('')
  const search = useSearch(props.source, typed, combobox.dropdownOpened)
  const onEnter = useFirstFound(combobox, typed !== '' && search.isOfTyped)
  const rows = search.data?.data ?? []
  const wordsOf = useChosen(props.source, props.value, rows)
  const drop = (id: string) => props.onChange(props.value.filter((one) => one !== id))
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        if (props.value.includes(id)) drop(id)
        else props.onChange([...props.value, id])
        if (typed === '') return
        setTyped('')
        combobox.resetSelectedOption()
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
            <Combobox.EventsTarget withExpandedAttribute>
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
                  combobox.resetSelectedOption()
                }}
                onKeyDown={(event) => {
                  onEnter(event)
                  const last = props.value.at(-1)
                  if (event.key === 'Backspace' && typed === '' && last) drop(last)
                }}
                {...props.aria}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Found
        source={props.source}
        label={props.label}
        rows={rows}
        pending={search.isPending}
        chosen={props.value}
      />
    </Combobox>
  )
}
