import { Combobox, Modal, useCombobox } from '@mantine/core'
import { IconArrowRight, IconLogout, IconMoon, IconSearch, IconSun, type Icon } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
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
  const combobox = useCombobox()
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
  const firstId = all[0]?.id
  useEffect(() => {
    if (firstId !== undefined) combobox.selectFirstOption()
    // Anew whenever what is found changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [firstId, all.length])
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
      <Combobox
        store={combobox}
        onOptionSubmit={(id) => {
          onClose()
          all.find((result) => result.id === id)?.run()
        }}
      >
        <div className={classes.field}>
          <IconSearch size={18} aria-hidden />
          <Combobox.EventsTarget>
            <input
              data-autofocus
              className={classes.input}
              value={query}
              onChange={(event) => setQuery(event.currentTarget.value)}
              placeholder={t('palette.placeholder')}
              aria-label={t('palette.placeholder')}
              autoComplete="off"
            />
          </Combobox.EventsTarget>
        </div>
        <Combobox.Options className={classes.results} aria-label={t('bar.search')}>
          {groups.map(({ title, results }) => (
            <Combobox.Group key={title} label={title}>
              {results.map((result) => (
                <Combobox.Option key={result.id} value={result.id} className={classes.result}>
                  <result.icon size={17} stroke={1.7} aria-hidden />
                  <span className={classes.label}>
                    <bdi>{result.label}</bdi>
                  </span>
                  {result.hint && <span className={classes.hint}>{result.hint}</span>}
                </Combobox.Option>
              ))}
            </Combobox.Group>
          ))}
          {all.length === 0 && <Combobox.Empty>{t('palette.nothing')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox>
    </Modal>
  )
}
