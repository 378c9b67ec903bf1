import { Alert, Button } from '@mantine/core'
import { useMemo } from 'react'
import { activities } from '@weft/contract/activities/api'
import type { Parameter } from '@weft/contract/activities/schema'
import { callOf } from '@weft/workflow/calls'
import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import type { Activity } from '@weft/workflow/document'
import { isJsonObject, type Json, type JsonObject } from '@weft/workflow/json'
import type { SchemaFormProps } from '../../../../kit/schema-form/types.ts'
import { useRead } from '../../../../lib/query.ts'
import { useT } from '../../text.ts'
import { useEditor } from '../context.ts'
import classes from './panel.module.css'

type Change = (state: JsonObject, path: string) => void

/** The parts of a form that differ between a step of the catalogue and one of a custom activity. */
interface StepFields {
  fields: readonly FieldDescriptor[]
  value: JsonObject
  onChange: Change
  text: (key: string) => string
  problemAt?: SchemaFormProps['problemAt']
}

/** Words that stand for themselves, where a form asks for the key of a text. */
const LITERAL = '='

/** A form of the parameters of the version that a step names; null for a step of the catalogue. */
export function useCustomFields(step: Activity, onChange: Change): StepFields | null {
  const t = useT()
  const call = callOf(step)
  const isCustom = call?.kind === 'activity'
  const number = isCustom ? call.number : null
  const activity = useRead(
    activities.get,
    { id: isCustom ? call.id : '', ...(number === null ? {} : { number }) },
    { enabled: isCustom },
  )
  return useMemo(() => {
    if (!isCustom) return null
    const parameters = activity.data?.parameters ?? []
    const value = valuesOf(step.state)
    return {
      fields: parameters.map(fieldOf),
      value,
      onChange: (values, path) => onChange({ ...step.state, inputs: rowsOf(values) }, `inputs.${path}`),
      text: (key) => (key.startsWith(LITERAL) ? key.slice(LITERAL.length) : key),
      // The server checks the values of a version; that one is missing is said at once.
      problemAt: (path) => {
        const asked = parameters.find(({ name }) => name === path)
        const missing = asked?.required && (asked['default'] ?? null) === null && !Object.hasOwn(value, path)
        return missing
          ? { text: t('problems.workflow.parameter_missing', { name: path }), severity: 'error' }
          : undefined
      },
    }
  }, [isCustom, activity.data, step.state, onChange, t])
}

/** What the activity of a step is called and does, where it is a custom one; null for one of the catalogue. */
export function useCustomWords(step: Activity): { name: string; description: string } | null {
  const call = callOf(step)
  const isCustom = call?.kind === 'activity'
  const { data } = useRead(activities.get, { id: isCustom ? call.id : '' }, { enabled: isCustom })
  return data && data.name !== null ? { name: data.name, description: data.description ?? '' } : null
}

function fieldOf(parameter: Parameter): FieldDescriptor {
  const { name, required } = parameter
  const words = (key: string) => {
    const value = parameter[key]
    return typeof value === 'string' && value !== '' ? value : null
  }
  const help = words('help')
  return {
    name,
    kind: 'template',
    required,
    group: 'main',
    keepType: true,
    labelKey: LITERAL + (words('label') ?? name),
    ...(help === null ? {} : { helpKey: LITERAL + help }),
  }
}

function valuesOf({ inputs }: JsonObject): JsonObject {
  const rows = Array.isArray(inputs) ? inputs.filter(isJsonObject) : []
  return Object.fromEntries(
    rows.flatMap(({ name, value }): [string, Json][] =>
      typeof name === 'string' && value !== undefined ? [[name, value]] : [],
    ),
  )
}

function namesOf({ inputs }: JsonObject): (string | null)[] {
  const rows = Array.isArray(inputs) ? inputs : []
  return rows.map((row) => (isJsonObject(row) && typeof row['name'] === 'string' ? row['name'] : null))
}

/** Where in the state of a step of a custom activity the value of a parameter stands. */
export function pathOfParameter(state: JsonObject, name: string): string {
  return `inputs.${namesOf(state).indexOf(name)}.value`
}

/** The control that shows what stands at a path of a step's state: of a custom activity, its parameter's. */
export function controlOf(step: Activity, path: string): string {
  const [root, at] = path.split('.')
  if (callOf(step)?.kind !== 'activity' || root !== 'inputs' || at === undefined) return path
  // By its number where it stands in the state, by its name where it is missing there.
  return /^\d+$/.test(at) ? (namesOf(step.state)[Number(at)] ?? path) : at
}

/** What is left empty is not given, so that the parameter's own default holds. */
function rowsOf(values: JsonObject): Json[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' ? [{ name, value }] : [],
  )
}

/** Which version a step names, and the way to a newer one. */
export function CustomVersion({ step, onChange }: { step: Activity; onChange: Change }) {
  const t = useT()
  const { readOnly } = useEditor()
  const call = callOf(step)
  const isCustom = call?.kind === 'activity'
  const newest = useRead(activities.get, { id: isCustom ? call.id : '' }, { enabled: isCustom })
  if (!isCustom) return null
  const to = newest.data?.activityVersion ?? null
  const lost = valuesLost(step.state, newest.data?.parameters ?? [])
  if (to === null || call.number === null || to <= call.number)
    return <p className={classes.version}>{t('panel.customVersion', { version: call.number ?? 0 })}</p>
  return (
    <Alert color="blue" title={t('panel.customVersion', { version: call.number })}>
      <p className={classes.version}>{t('panel.newerVersion', { version: to })}</p>
      {lost.length > 0 && (
        <p className={classes.version}>{t('panel.losesParameters', { names: lost.join(', ') })}</p>
      )}
      {!readOnly && lost.length === 0 && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => onChange({ ...step.state, version: to }, 'version')}
        >
          {t('panel.takeVersion', { version: to })}
        </Button>
      )}
    </Alert>
  )
}

/** Parameters that the step gives a value and that the newest version does not have. */
function valuesLost(state: JsonObject, parameters: readonly Parameter[]): string[] {
  return Object.keys(valuesOf(state)).filter((name) => !parameters.some((one) => one.name === name))
}
