import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { activities } from '@weft/contract/activities/api'
import { categories, type Category } from '@weft/workflow/catalogue/activity'
import { activityTypes, definitionOf } from '@weft/workflow/catalogue/catalogue'
import { CUSTOM_ACTIVITY } from '@weft/workflow/catalogue/flow'
import { useRead } from '../../../lib/query.ts'
import { NamedIcon } from '../activity-icon.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { keyOfOffered } from '../model/custom-step.ts'
import { useT } from '../text.ts'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import classes from './picker.module.css'

const ALL = { perPage: 1000 } as const

/** The activities that this installation does not allow; none until the server has said so. */
export function useSwitchedOff(): ReadonlySet<string> {
  const list = useRead(activities.list, ALL)
  return useMemo(
    () => new Set(list.data?.data.filter((row) => !row.enabled).map(({ id }) => id)),
    [list.data],
  )
}

/** Asks which activity is to be added: searched by typing, chosen with the arrows. */
export function ActivityPicker(props: { opened: boolean; close: () => void; pick: (type: string) => void }) {
  const t = useT()
  return (
    <Modal
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
      opened={props.opened}
      onClose={props.close}
      title={t('picker.title')}
      size={520}
      returnFocus={false}
      classNames={{ body: classes.body }}
    >
      {props.opened && <Choice pick={props.pick} close={props.close} />}
    </Modal>
  )
}

function Choice({ pick, close }: { pick: (type: string) => void; close: () => void }) {
  const t = useT()
  const [typed, setTyped] = useState('')
  const store = useCombobox({ opened: true })
  const groups = useMatches(typed)
  const { selectFirstOption } = store
  // The first that fits is chosen at once, so that a word and Enter are enough.
  useEffect(() => {
    if (groups.length > 0) selectFirstOption()
  }, [groups, selectFirstOption])
  return (
    <Combobox store={store} onOptionSubmit={pick}>
      <Combobox.EventsTarget>
        <TextInput
          data-autofocus
          value={typed}
          placeholder={t('picker.search')}
          aria-label={t('picker.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The list keeps Escape to itself; here it means the whole dialog.
            if (event.key === 'Escape') close()
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.options} aria-label={t('picker.title')} tabIndex={0}>
        {groups.length === 0 && <Combobox.Empty>{t('picker.nothing')}</Combobox.Empty>}
        {groups.map(({ category, title, entries }) => (
          <Combobox.Group key={category} label={title}>
            {entries.map((entry) => (
              <Option key={entry.key} entry={entry} />
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
    </Combobox>
  )
}

function Option({ entry: { key, icon, name, description } }: { entry: Entry }) {
  return (
    <Combobox.Option value={key} className={classes.option}>
      <NamedIcon name={icon} size={20} className={classes.icon} />
      <span>
        <span className={classes.name}>{name}</span>
        <span className={classes.description}>{description}</span>
      </span>
    </Combobox.Option>
  )
}

/** One thing that a palette offers. */
interface Entry {
  /** What it is chosen and dragged by: a type, or a custom activity with its version. */
  key: string
  icon: string
  name: string
  description: string
  category: Category
}

/** What the installation offers: the types of the catalogue in their order, and custom activities that have a version. */
function useOffered(): readonly Entry[] {
  const catalogue = useCatalogueText()
  const list = useRead(activities.list, ALL)
  const off = useSwitchedOff()
  return useMemo(() => {
    const own = activityTypes.flatMap((type): Entry[] => {
      const definition = definitionOf(type)
      // The type of all custom activities stands for none.
      if (!definition || type === CUSTOM_ACTIVITY || off.has(type)) return []
      const { icon, category } = definition
      const name = catalogue(definition.titleKey)
      return [{ key: type, icon, name, description: catalogue(definition.descriptionKey), category }]
    })
    const custom = (list.data?.data ?? []).flatMap((row): Entry[] => {
      const { id, name, description, activityVersion: version, icon, category } = row
      if (row.builtIn || !row.enabled || name === null || version === null) return []
      return [
        { key: keyOfOffered({ id, version, name }), icon, name, description: description ?? '', category },
      ]
    })
    return [...own, ...custom]
  }, [list.data, off, catalogue])
}

/** The activities whose words hold every typed word, by category. */
export function useMatches(typed: string) {
  const catalogue = useCatalogueText()
  const offered = useOffered()
  return useMemo(() => {
    const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    const entries = offered.filter(({ key, name, description, category }) => {
      const group = catalogue(`activities.common.categories.${category}`)
      const hay = [name, description, group, key].join(' ').toLocaleLowerCase()
      return words.every((word) => hay.includes(word))
    })
    return categories.flatMap((category) => {
      const own = entries.filter((entry) => entry.category === category)
      const title = catalogue(`activities.common.categories.${category}`)
      return own.length > 0 ? [{ category, title, entries: own }] : []
    })
  }, [typed, catalogue, offered])
}
