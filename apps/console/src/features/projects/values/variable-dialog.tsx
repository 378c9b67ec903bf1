import { NumberInput, Select, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  VARIABLE_TYPES,
  valueName,
  type ProjectVariable,
  type VariableType,
} from '@weft/contract/projects/values'
import { GrowingText } from '../../../kit/fields/growing-text.tsx'
import { text } from '../../../lib/i18n/texts.ts'
import { useT } from '../text.ts'
import { Dialog } from './dialog.tsx'

interface Typed {
  name: string
  type: VariableType
  /** A text or JSON as it is typed; of the other types the value. */
  raw: string
  flag: boolean
  description: string
}

const EMPTY: Typed = { name: '', type: 'string', raw: '', flag: false, description: '' }

function typedOf({ name, type, value, description }: ProjectVariable): Typed {
  const raw = typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value, null, 2)
  return { name, type, raw, flag: value === true, description }
}

/** The value that was typed, or undefined where it is none of its type. */
function valueOf({ type, raw, flag }: Typed): ProjectVariable['value'] | undefined {
  if (type === 'boolean') return flag
  if (type === 'string') return raw
  if (type === 'number') return raw.trim() !== '' && Number.isFinite(Number(raw)) ? Number(raw) : undefined
  try {
    const value: ProjectVariable['value'] = JSON.parse(raw)
    return value
  } catch {
    return undefined
  }
}

/** Writes one variable: its name, type and value. */
export function VariableDialog(props: {
  variable: ProjectVariable | null
  taken: readonly string[]
  busy: boolean
  save: (variable: ProjectVariable) => void
  close: () => void
}) {
  const t = useT()
  const [typed, setTyped] = useState(props.variable ? typedOf(props.variable) : EMPTY)
  const [tried, setTried] = useState(false)
  const set = (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change }))
  const name = typed.name.trim()
  const value = valueOf(typed)
  const wrongName = !valueName.safeParse(name).success
    ? t('values.badName')
    : props.taken.includes(name) && name !== props.variable?.name
      ? t('values.taken')
      : null
  const wrongValue =
    value === undefined
      ? text(typed.type === 'json' ? 'errors:fields.json' : 'errors:fields.wrong_type')
      : null
  const submit = () => {
    setTried(true)
    if (wrongName !== null || value === undefined) return
    props.save({ name, type: typed.type, value, description: typed.description })
  }
  return (
    <Dialog
      title={props.variable ? t('values.editVariable') : t('values.addVariable')}
      busy={props.busy}
      submit={submit}
      close={props.close}
    >
      <TextInput
        label={t('values.name')}
        description={t('values.nameHelp', { example: `project.${name === '' ? 'host' : name}` })}
        dir="ltr"
        required
        data-autofocus
        autoComplete="off"
        maxLength={64}
        value={typed.name}
        error={tried ? wrongName : null}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <Select
        label={t('values.type')}
        allowDeselect={false}
        data={VARIABLE_TYPES.map((type) => ({ value: type, label: t(`values.types.${type}`) }))}
        value={typed.type}
        onChange={(type) => set({ type: VARIABLE_TYPES.find((one) => one === type) ?? 'string' })}
      />
      <ValueInput typed={typed} set={set} error={tried ? wrongValue : null} />
      <TextInput
        label={t('values.description')}
        maxLength={500}
        value={typed.description}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
    </Dialog>
  )
}

function ValueInput(props: { typed: Typed; set: (change: Partial<Typed>) => void; error: string | null }) {
  const t = useT()
  const { typed, set, error } = props
  const label = t('values.value')
  if (typed.type === 'boolean')
    return (
      <Switch
        label={label}
        checked={typed.flag}
        onChange={(event) => set({ flag: event.currentTarget.checked })}
      />
    )
  if (typed.type === 'number')
    return (
      <NumberInput
        label={label}
        dir="ltr"
        hideControls
        value={typed.raw}
        error={error}
        onChange={(raw) => set({ raw: String(raw) })}
      />
    )
  if (typed.type === 'json')
    return (
      <GrowingText
        label={label}
        dir="ltr"
        spellCheck={false}
        minRows={4}
        maxRows={20}
        value={typed.raw}
        error={error}
        onChange={(event) => set({ raw: event.currentTarget.value })}
      />
    )
  return (
    <GrowingText
      label={label}
      minRows={1}
      maxRows={12}
      value={typed.raw}
      error={error}
      onChange={(event) => set({ raw: event.currentTarget.value })}
    />
  )
}
