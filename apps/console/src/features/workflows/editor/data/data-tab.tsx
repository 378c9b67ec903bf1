import { Button, Select, Switch, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ActionIcon } from '@mantine/core'
import { valueTypes, type ValueType, type WorkflowInput, type WorkflowVariable } from '@weft/workflow/document'
import { apply } from '@weft/workflow/operations'
import type { Problem } from '@weft/workflow/validate'
import { Section } from '../../../../kit/page/page.tsx'
import { Empty } from '../../../../kit/states/states.tsx'
import { useT } from '../../text.ts'
import { useCatalogueText } from '../../../../lib/i18n/catalogue.ts'
import { useEditor } from '../context.ts'
import { problemText } from '../problem-text.ts'
import classes from './data.module.css'
import { DefaultValue } from './default-value.tsx'
import { NameField } from './name-field.tsx'

/** What a run is given, and the values that its steps share. */
export function DataTab() {
  return (
    <div className={classes.sections}>
      <Inputs />
      <Variables />
    </div>
  )
}

function freeName(taken: readonly { name: string }[], wish: string): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wish : `${wish}${number}`
    if (taken.every((one) => one.name !== name)) return name
  }
}

const replaced = <T,>(list: readonly T[], index: number, entry: T): T[] =>
  list.map((one, at) => (at === index ? entry : one))

function Inputs() {
  const t = useT()
  const { document, edit, readOnly } = useEditor()
  const { inputs } = document
  const set = (next: WorkflowInput[], group?: string) =>
    edit(apply(document, { kind: 'setInputs', inputs: next }), group)
  const add = () => set([...inputs, { name: freeName(inputs, 'input'), type: 'text', required: true }])
  return (
    <Section title={t('data.inputs')} aside={<AddButton label={t('data.addInput')} add={add} />}>
      <p className={classes.lead}>{t('data.inputsText')}</p>
      {inputs.length === 0 && <Empty title={t('data.noInputs')} text={t('data.noInputsText')} />}
      {inputs.map((input, index) => {
        const change = (changes: Partial<WorkflowInput>) =>
          set(replaced(inputs, index, cleaned({ ...input, ...changes })), `inputs.${index}`)
        return (
          // Names change while they are typed, so a row is known by its place.
          // oxlint-disable-next-line react/no-array-index-key
          <fieldset key={index} className={classes.card} disabled={readOnly}>
            <legend className="unseen">{input.name}</legend>
            <div className={classes.grid}>
              <NameField value={input.name} onChange={(name) => change({ name })} />
              <TypeField value={input.type} onChange={(type) => change({ type, default: undefined })} />
              <TextInput
                label={t('data.label')}
                value={input.label ?? ''}
                maxLength={120}
                onChange={(event) => change({ label: event.currentTarget.value || undefined })}
              />
              <TextInput
                label={t('data.help')}
                value={input.help ?? ''}
                maxLength={500}
                onChange={(event) => change({ help: event.currentTarget.value || undefined })}
              />
              {!input.secret && (
                <DefaultValue type={input.type} value={input.default} onChange={(value) => change({ default: value })} />
              )}
              <div className={classes.switches}>
                <Switch
                  label={t('data.required')}
                  checked={input.required}
                  onChange={(event) => change({ required: event.currentTarget.checked })}
                />
                {input.type === 'text' && (
                  <Switch
                    label={t('data.secret')}
                    checked={input.secret === true}
                    onChange={(event) =>
                      change(
                        event.currentTarget.checked ? { secret: true, default: undefined } : { secret: undefined },
                      )
                    }
                  />
                )}
              </div>
            </div>
            <RowProblems path={`inputs.${index}`} />
            <RemoveButton name={input.name} remove={() => set(inputs.filter((_, at) => at !== index))} />
          </fieldset>
        )
      })}
    </Section>
  )
}

function Variables() {
  const t = useT()
  const { document, edit, readOnly } = useEditor()
  const { variables } = document
  const set = (next: WorkflowVariable[], group?: string) =>
    edit(apply(document, { kind: 'setVariables', variables: next }), group)
  const add = () => set([...variables, { name: freeName(variables, 'variable'), type: 'text' }])
  return (
    <Section title={t('data.variables')} aside={<AddButton label={t('data.addVariable')} add={add} />}>
      <p className={classes.lead}>{t('data.variablesText')}</p>
      {variables.length === 0 && <Empty title={t('data.noVariables')} text={t('data.noVariablesText')} />}
      {variables.map((variable, index) => {
        const change = (changes: Partial<WorkflowVariable>) =>
          set(replaced(variables, index, cleaned({ ...variable, ...changes })), `variables.${index}`)
        return (
          // oxlint-disable-next-line react/no-array-index-key
          <fieldset key={index} className={classes.card} disabled={readOnly}>
            <legend className="unseen">{variable.name}</legend>
            <div className={classes.grid}>
              <NameField value={variable.name} onChange={(name) => change({ name })} />
              <TypeField value={variable.type} onChange={(type) => change({ type, default: undefined })} />
              <DefaultValue
                type={variable.type}
                value={variable.default}
                onChange={(value) => change({ default: value })}
              />
            </div>
            <RowProblems path={`variables.${index}`} />
            <RemoveButton name={variable.name} remove={() => set(variables.filter((_, at) => at !== index))} />
          </fieldset>
        )
      })}
    </Section>
  )
}

/** Without the keys whose value was taken away, so that equal declarations are equal documents. */
function cleaned<T extends object>(entry: T): T {
  const copy = { ...entry }
  for (const key of Object.keys(copy) as (keyof T)[]) if (copy[key] === undefined) delete copy[key]
  return copy
}

function TypeField({ value, onChange }: { value: ValueType; onChange: (type: ValueType) => void }) {
  const t = useT()
  return (
    <Select
      label={t('data.type')}
      value={value}
      allowDeselect={false}
      data={valueTypes.map((type) => ({ value: type, label: t(`types.${type}`) }))}
      onChange={(next) => onChange(valueTypes.find((type) => type === next) ?? 'text')}
    />
  )
}

function RowProblems({ path }: { path: string }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { document, problems } = useEditor()
  const own = problems.filter((problem: Problem) => problem.path === path)
  if (own.length === 0) return null
  return (
    <ul className={classes.problems}>
      {own.map((problem) => (
        <li key={problem.code}>{problemText(problem, document, t, catalogue)}</li>
      ))}
    </ul>
  )
}

function AddButton({ label, add }: { label: string; add: () => void }) {
  const { readOnly } = useEditor()
  if (readOnly) return null
  return (
    <Button size="compact-sm" variant="default" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
      {label}
    </Button>
  )
}

function RemoveButton({ name, remove }: { name: string; remove: () => void }) {
  const t = useT()
  const { readOnly } = useEditor()
  if (readOnly) return null
  return (
    <ActionIcon className={classes.remove} size={30} aria-label={t('data.remove', { name })} onClick={remove}>
      <IconTrash size={16} />
    </ActionIcon>
  )
}
