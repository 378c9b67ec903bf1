import { Button, CloseButton, Stack, TextInput } from '@mantine/core'
import { IconChevronDown, IconSearch } from '@tabler/icons-react'
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from 'react'
import { fieldLabel, optionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useLatest } from '../../lib/use-latest.ts'
import { Popup } from '../popup/popup.tsx'
import { Box } from './box.tsx'
import { ListTools } from './list-tools.tsx'
import { isNarrowed, withoutFilters } from './url-state.ts'
import { ViewsButton } from './views/views-button.tsx'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

const FilterContext = createContext<ListHandle | null>(null)
const TYPING_MS = 250
const loadWindow = () => import('../popup/window.tsx')

/** The list that a filter stands above. */
export function useList(): ListHandle {
  const list = useContext(FilterContext)
  if (!list) throw new Error('A filter stands outside of Filters.')
  return list
}

/** The row above a list: saved views, search, its own filters, and at the end what can be done with the whole list. */
export function Filters({ of, children }: { of: ListHandle; children?: ReactNode }) {
  const t = useKitText()
  return (
    <FilterContext value={of}>
      <search className={classes.filters}>
        <div className={classes.filterFields}>
          <ViewsButton list={of} />
          {children}
          {isNarrowed(of.state) && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              onClick={() => of.setState(withoutFilters(of.state))}
            >
              {t('list.clearFilters')}
            </Button>
          )}
        </div>
        <ListTools list={of} />
      </search>
    </FilterContext>
  )
}

/** Searches while one types; `/` brings the focus here, Escape clears. */
export function SearchFilter({ placeholder }: { placeholder?: string }) {
  const t = useKitText()
  const list = useList()
  const { q } = list.state
  const [typed, setTyped] = useState(q)
  const box = useRef<HTMLInputElement>(null)
  const known = useRef(q)
  useEffect(() => {
    // The address changed by itself (back, a link, "clear filters").
    if (q !== known.current) setTyped(q)
    known.current = q
  }, [q])
  const latest = useLatest(list)
  useEffect(() => {
    if (typed === known.current) return undefined
    const timer = setTimeout(() => {
      known.current = typed
      latest.current.setState({ q: typed })
    }, TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, latest])
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const inField =
        event.target instanceof HTMLElement &&
        event.target.closest('input, textarea, select, [contenteditable]')
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || inField) return
      event.preventDefault()
      box.current?.focus()
    }
    addEventListener('keydown', focus)
    return () => removeEventListener('keydown', focus)
  }, [])
  return (
    <TextInput
      ref={box}
      className={classes.search}
      type="search"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setTyped('')
      }}
      placeholder={placeholder ?? t('list.search')}
      aria-label={placeholder ?? t('list.search')}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed ? (
          <CloseButton size="sm" aria-label={t('list.clearSearch')} onClick={() => setTyped('')} />
        ) : null
      }
      maxLength={200}
    />
  )
}

function FilterButton(props: { label: string; shown: string; active: boolean; children: ReactNode }) {
  return (
    <Popup
      kind="dialog"
      load={loadWindow}
      button={(button) => (
        <Button
          {...button}
          variant="default"
          className={classes.filterButton}
          data-active={props.active || undefined}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {props.label}
          {props.active && <span className={classes.filterValue}>{props.shown}</span>}
        </Button>
      )}
    >
      {(parts, { PopupWindow }) => (
        <PopupWindow parts={parts} position="bottom-start" width={240}>
          {props.children}
        </PopupWindow>
      )}
    </Popup>
  )
}

/** Several words of an enum. `field` says whose words they are, where it is not the filter's own name. */
export function SelectFilter(props: {
  name: string
  options: readonly string[]
  field?: string
  label?: string
  /** Words of options that no text file has, such as names that people gave. */
  labels?: Readonly<Record<string, string>>
}) {
  const t = useKitText()
  const list = useList()
  const field = props.field ?? props.name
  const wordOf = (value: string) => props.labels?.[value] ?? optionLabel(list.feature, field, value)
  const chosen = (list.state.filters[props.name] ?? '').split(',').filter(Boolean)
  const set = (values: readonly string[]) => {
    const { [props.name]: _old, ...others } = list.state.filters
    list.setState({ filters: values.length > 0 ? { ...others, [props.name]: values.join(',') } : others })
  }
  const words = chosen.map(wordOf)
  return (
    <FilterButton
      label={props.label ?? fieldLabel(list.feature, field)}
      active={chosen.length > 0}
      shown={words.length > 1 ? String(words.length) : (words[0] ?? '')}
    >
      <Stack gap={10} mah={320} style={{ overflowY: 'auto' }}>
        {props.options.map((option) => (
          <label key={option} className={classes.choice}>
            <Box
              label={wordOf(option)}
              checked={chosen.includes(option)}
              onChange={() =>
                set(chosen.includes(option) ? chosen.filter((one) => one !== option) : [...chosen, option])
              }
            />
            <bdi>{wordOf(option)}</bdi>
          </label>
        ))}
        {chosen.length > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => set([])}>
            {t('common.clear')}
          </Button>
        )}
      </Stack>
    </FilterButton>
  )
}
