import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { system } from '@weft/contract/system/api'
import { SETTING_FORMS, SETTING_GROUPS, type Setting } from '@weft/contract/system/settings'
import { useChange } from '../../../kit/actions/use-change.ts'
import type { FormError } from '../../../kit/form/schema-info.ts'
import { Section } from '../../../kit/page/page.tsx'
import { Empty, Load } from '../../../kit/states/states.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { isFailure } from '../../../lib/failure.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import { useT } from '../text.ts'
import { changesOf, edited, type Edits } from './edits.ts'
import { SettingRow } from './row.tsx'
import classes from './settings.module.css'

/** Every setting, searched and grouped; changes of several are saved together. */
export function SettingsTab() {
  const record = useRead(system.settings, {})
  return <Load of={record}>{({ data }) => <Settings settings={data} />}</Load>
}

function Settings({ settings }: { settings: readonly Setting[] }) {
  const t = useT()
  const kit = useKitText()
  const [query, setQuery] = useState('')
  const [edits, setEdits] = useState<Edits>({})
  const [errors, setErrors] = useState<readonly FormError[]>([])
  const count = Object.keys(edits).length
  const save = useChange(system.saveSettings, {
    done: t('settings.saved'),
    quiet: true,
    onDone: () => {
      setEdits({})
      setErrors([])
    },
  })
  const submit = () =>
    save.mutate(
      { changes: changesOf(edits, settings) },
      {
        onError: (error) => {
          const wrong = isFailure(error) ? (error.body.errors ?? []) : []
          setErrors(wrong)
          // The first that is wrong may be out of sight.
          document.querySelector<HTMLElement>(`#setting-${wrong[0]?.path ?? 'none'}`)?.focus()
          if (wrong.length === 0 || (isFailure(error) && error.body.code !== 'request.invalid'))
            toast.failure(error)
        },
      },
    )
  const wanted = query.trim().toLowerCase()
  const matches = ({ key }: Setting) =>
    [key, t(`fields.${key}`), t(`help.${key}`)].some((words) => words.toLowerCase().includes(wanted))
  const groups = SETTING_GROUPS.filter((group) => group !== 'maintenance')
    .map((group) => ({
      group,
      rows: settings.filter((setting) => SETTING_FORMS[setting.key].group === group && matches(setting)),
    }))
    .filter(({ rows }) => rows.length > 0)
  const drop = (key: Setting['key']) => {
    const { [key]: _dropped, ...others } = edits
    setEdits(others)
  }
  return (
    <form
      className={classes.settings}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (count > 0) submit()
      }}
    >
      <search>
        <TextInput
          type="search"
          className={classes.search}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          placeholder={t('settings.search')}
          aria-label={t('settings.search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            query && (
              <CloseButton size="sm" aria-label={kit('list.clearSearch')} onClick={() => setQuery('')} />
            )
          }
        />
      </search>
      {groups.length === 0 && <Empty title={t('settings.nothing')} />}
      {groups.map(({ group, rows }) => (
        <Section key={group} flush title={t(`groups.${group}`)}>
          {rows.map((setting) => (
            <SettingRow
              key={setting.key}
              setting={setting}
              edit={edits[setting.key]}
              error={errors.find(({ path }) => path === setting.key)}
              onChange={(value) => {
                setEdits(edited(edits, setting, value))
                setErrors(errors.filter(({ path }) => path !== setting.key))
              }}
              onTakeTheirs={() => drop(setting.key)}
              onKeepMine={() => {
                const edit = edits[setting.key]
                if (edit) setEdits({ ...edits, [setting.key]: { ...edit, version: setting.version } })
              }}
            />
          ))}
        </Section>
      ))}
      {count > 0 && (
        <section className={classes.saveBar} aria-label={t('settings.unsaved', { count })}>
          <span>{t('settings.unsaved', { count })}</span>
          <Button
            variant="default"
            onClick={() => {
              setEdits({})
              setErrors([])
            }}
          >
            {t('settings.discard')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {kit('common.save')}
          </Button>
        </section>
      )}
    </form>
  )
}
