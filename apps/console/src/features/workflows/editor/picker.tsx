import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { activities } from '@weft/contract/activities/api'
import { categories } from '@weft/workflow/catalogue/activity'
import { activityTypes, definitionOf } from '@weft/workflow/catalogue/catalogue'
import { useRead } from '../../../lib/query.ts'
import { ActivityIcon } from '../activity-icon.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import classes from './picker.module.css'

const ALL = { perPage: 1000 } as const

/** The types of activities that this installation allows; all of the catalogue until the server has said so. */
export function useEnabledTypes(): readonly string[] {
  const list = useRead(activities.list, ALL)
  return useMemo(() => {
    const rows = list.data?.data
    if (!rows) return activityTypes
    const enabled = new Set(rows.filter((row) => row.enabled).map(({ type }) => type))
    return activityTypes.filter((type) => enabled.has(type))
  }, [list.data])
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
            {entries.map(({ type, name, description }) => (
              <Option key={type} type={type} name={name} description={description} />
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
    </Combobox>
  )
}

function Option({ type, name, description }: { type: string; name: string; description: string }) {
  return (
    <Combobox.Option value={type} className={classes.option}>
      <ActivityIcon type={type} size={20} className={classes.icon} />
      <span>
        <span className={classes.name}>{name}</span>
        <span className={classes.description}>{description}</span>
      </span>
    </Combobox.Option>
  )
}

/** The activities whose words hold every typed word, by category. */
export function useMatches(typed: string) {
  const catalogue = useCatalogueText()
  const enabled = useEnabledTypes()
  return useMemo(() => {
    const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    const entries = enabled.flatMap((type) => {
      const definition = definitionOf(type)
      if (!definition) return []
      const name = catalogue(definition.titleKey)
      const description = catalogue(definition.descriptionKey)
      const category = catalogue(`activities.common.categories.${definition.category}`)
      const hay = [name, description, category, type].join(' ').toLocaleLowerCase()
      return words.every((word) => hay.includes(word))
        ? [{ type, name, description, category: definition.category }]
        : []
    })
    return categories.flatMap((category) => {
      const own = entries.filter((entry) => entry.category === category)
      const title = catalogue(`activities.common.categories.${category}`)
      return own.length > 0 ? [{ category, title, entries: own }] : []
    })
  }, [typed, catalogue, enabled])
}
