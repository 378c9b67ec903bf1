import { Modal } from '@mantine/core'
import { IconArrowRight, IconLogout, IconMoon, IconSearch, IconSun, type Icon } from '@tabler/icons-react'
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { useAppText } from '../../lib/i18n/texts.ts'
import type { MenuItem } from '../../lib/navigation/menu.ts'
import { changePreferences } from '../../lib/preferences.ts'
import { signOut } from '../../lib/session/session.ts'
import { titleText } from '../title.ts'
import { menuIcon } from './icons.ts'
import { matches } from './palette-search.ts'
import { useRecordResults } from './palette-records.ts'
import classes from './palette.module.css'

interface Result {
  id: string
  label: string
  hint: string
  icon: Icon
  run: () => void
}

function pages(menu: readonly MenuItem[], above: string): { item: MenuItem; hint: string }[] {
  return menu.flatMap((item) => [
    ...(item.to ? [{ item, hint: above }] : []),
    ...pages(item.children, titleText(item.title) ?? ''),
  ])
}

/** Goes anywhere by typing: pages, records, a few actions. */
export default function Palette({ menu, onClose }: { menu: readonly MenuItem[]; onClose: () => void }) {
  const t = useAppText()
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const records = useRecordResults(query)
  const fixed = useMemo((): { title: string; results: Result[] }[] => {
    const go = (to: string) => () => void navigate(to)
    return [
      {
        title: t('palette.pages'),
        results: pages(menu, '').map(({ item, hint }) => ({
          id: item.name,
          label: titleText(item.title) ?? item.name,
          hint,
          icon: menuIcon(item.icon),
          run: go(item.to ?? '/'),
        })),
      },
      {
        title: t('palette.actions'),
        results: [
          {
            id: 'light',
            label: t('themes.light'),
            hint: t('bar.theme'),
            icon: IconSun,
            run: () => changePreferences({ theme: 'light' }),
          },
          {
            id: 'dark',
            label: t('themes.dark'),
            hint: t('bar.theme'),
            icon: IconMoon,
            run: () => changePreferences({ theme: 'dark' }),
          },
          { id: 'signOut', label: t('bar.signOut'), hint: '', icon: IconLogout, run: () => void signOut() },
        ],
      },
    ]
  }, [menu, navigate, t])
  const groups = [
    ...fixed.map(({ title, results }) => ({
      title,
      results: results.filter(({ label, hint }) => matches(`${hint} ${label}`, query)),
    })),
    ...records.map(({ feature, title, rows }) => ({
      title,
      results: rows.map(({ id, name, to }) => ({
        id: `${feature}/${id}`,
        label: name,
        hint: '',
        icon: IconArrowRight,
        run: () => void navigate(to),
      })),
    })),
  ].filter(({ results }) => results.length > 0)
  const all = groups.flatMap(({ results }) => results)
  const chosen = all[Math.min(at, all.length - 1)]
  const choose = (result: Result | undefined) => {
    if (!result) return
    onClose()
    result.run()
  }
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      const next = (at + step + all.length) % Math.max(1, all.length)
      setAt(next)
      list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(chosen)
    }
  }
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      size={600}
      padding={0}
      yOffset="12vh"
      centered={false}
      aria-label={t('bar.search')}
    >
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          data-autofocus
          className={classes.input}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKey}
          placeholder={t('palette.placeholder')}
          aria-label={t('palette.placeholder')}
          role="combobox"
          aria-expanded
          aria-controls="palette-results"
          aria-activedescendant={chosen ? `palette-${chosen.id}` : undefined}
          autoComplete="off"
        />
      </div>
      <div
        id="palette-results"
        ref={list}
        className={classes.results}
        role="listbox"
        aria-label={t('bar.search')}
      >
        {groups.map(({ title, results }) => (
          <div key={title} role="group" aria-label={title}>
            <div className={classes.group} aria-hidden>
              {title}
            </div>
            {results.map((result) => (
              <div
                key={result.id}
                id={`palette-${result.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={result === chosen}
                className={classes.result}
                onPointerMove={() => setAt(all.indexOf(result))}
                onPointerDown={(event) => {
                  event.preventDefault()
                  choose(result)
                }}
              >
                <result.icon size={17} stroke={1.7} aria-hidden />
                <span className={classes.label}>
                  <bdi>{result.label}</bdi>
                </span>
                {result.hint && <span className={classes.hint}>{result.hint}</span>}
              </div>
            ))}
          </div>
        ))}
        {all.length === 0 && <output className={classes.nothing}>{t('palette.nothing')}</output>}
      </div>
    </Modal>
  )
}
