import type { FieldDescriptor } from '@weft/workflow/catalogue/field'
import { Dash, Ltr } from '../../../kit/values/values.tsx'
import { useCatalogueText } from '../../../lib/i18n/catalogue.ts'
import { valueText } from '../../workflows/model/summary.ts'
import { useT } from '../text.ts'
import classes from './help.module.css'

/** Every field of an activity's form, in its order: what it holds, what it is without being filled in, when it is asked for. */
export function FieldTable({ fields }: { fields: readonly FieldDescriptor[] }) {
  const t = useT()
  if (fields.length === 0) return <p className={classes.none}>{t('help.noFields')}</p>
  return (
    // A region that scrolls sideways on a phone is reached by keyboard too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={classes.scroll} tabIndex={0} aria-label={t('help.fields')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('help.field')}</th>
            <th scope="col">{t('help.kind')}</th>
            <th scope="col">{t('help.required')}</th>
            <th scope="col">{t('help.default')}</th>
            <th scope="col">{t('help.meaning')}</th>
          </tr>
        </thead>
        <tbody>
          <Rows fields={fields} depth={0} />
        </tbody>
      </table>
    </section>
  )
}

function Rows({ fields, depth }: { fields: readonly FieldDescriptor[]; depth: number }) {
  return fields
    .filter((field) => !(field.name === 'key' && depth > 0))
    .map((field) => <Row key={field.name} field={field} among={fields} depth={depth} />)
}

function Row(props: { field: FieldDescriptor; among: readonly FieldDescriptor[]; depth: number }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const { field, among, depth } = props
  const initial =
    typeof field.default === 'boolean'
      ? t(field.default ? 'help.yes' : 'help.no')
      : valueText(field, field.default, catalogue)
  return (
    <>
      <tr data-depth={depth || undefined}>
        <th scope="row">
          <span className={classes.label}>{catalogue(field.labelKey)}</span>
          <Ltr>{field.name}</Ltr>
        </th>
        <td>
          {t(`kinds.${field.kind}`)}
          <Bounds field={field} />
        </td>
        <td>
          {field.required && !field.when
            ? t('help.yes')
            : field.required
              ? t('help.whenShown')
              : t('help.no')}
        </td>
        <td>{initial === null ? <Dash /> : <bdi>{initial}</bdi>}</td>
        <td>
          <Meaning field={field} among={among} />
        </td>
      </tr>
      {field.items && <Rows fields={field.items} depth={depth + 1} />}
    </>
  )
}

function Bounds({ field: { min, max } }: { field: FieldDescriptor }) {
  const t = useT()
  if (min === undefined && max === undefined) return null
  return <span className={classes.bounds}>{t('help.bounds', { min: min ?? 0, max: max ?? '∞' })}</span>
}

function Meaning({ field, among }: { field: FieldDescriptor; among: readonly FieldDescriptor[] }) {
  const t = useT()
  const catalogue = useCatalogueText()
  const other = among.find(({ name }) => name === field.when?.field)
  const shownFor = field.when?.is.map((value) => {
    const option = other?.options?.find((candidate) => candidate.value === value)
    return option ? catalogue(option.labelKey) : value
  })
  return (
    <>
      {field.helpKey && <p>{catalogue(field.helpKey)}</p>}
      {field.options && (
        <p>
          {t('help.oneOf', { list: field.options.map(({ labelKey }) => catalogue(labelKey)).join(' · ') })}
        </p>
      )}
      {other && shownFor && (
        <p className={classes.dim}>
          {t('help.when', { field: catalogue(other.labelKey), list: shownFor.join(' · ') })}
        </p>
      )}
      {field.dynamic && <p className={classes.dim}>{t('help.dynamic', { braces: '{{ … }}' })}</p>}
    </>
  )
}
