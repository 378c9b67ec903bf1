import { QUOTA_KINDS } from '@weft/contract/users/quota'
import { MultiSelectField, SelectField } from '../../kit/fields/choice.tsx'
import { NumberField } from '../../kit/fields/number.tsx'
import { useFieldValue } from '../../kit/form/context.ts'
import { FieldGroup } from '../../kit/form/form.tsx'
import { LOCALES } from '@weft/contract/users/schema'
import { roleName, useRoles } from './roles.ts'
import { useT } from './text.ts'
import classes from './users.module.css'

const ZONES = Intl.supportedValuesOf('timeZone')

/** The roles of somebody: those that the caller may give, and those that the person has already. */
export function RolesField() {
  const roles = useRoles()
  const value = useFieldValue('roles')
  const has = new Set(Array.isArray(value) ? value : [])
  const options = roles
    .filter(({ key, givable }) => givable || has.has(key))
    .map(({ key, name }) => ({ value: key, label: roleName(key, name) }))
  return <MultiSelectField name="roles" options={options} />
}

/** Language and time zone. */
export function PlaceFields() {
  return (
    <>
      <SelectField name="locale" options={LOCALES} clearable={false} />
      <SelectField name="timeZone" options={ZONES.map((zone) => ({ value: zone, label: zone }))} searchable />
    </>
  )
}

/** How much somebody may have. */
export function LimitFields() {
  const t = useT()
  return (
    <FieldGroup title={t('limits.title')}>
      <p className={classes.limitHelp}>{t('limits.help')}</p>
      <div className={classes.limits}>
        {QUOTA_KINDS.map((kind) => (
          <NumberField key={kind} name={`quota.${kind}`} />
        ))}
      </div>
    </FieldGroup>
  )
}
