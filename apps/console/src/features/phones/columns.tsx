import type { Phone } from '@weft/contract/phones/schema'
import { columnsOf } from '../../kit/list/columns.tsx'
import { Ltr } from '../../kit/values/values.tsx'
import { countryName } from '../../lib/countries.ts'
import classes from './phones.module.css'

const col = columnsOf<Phone>()

/** The calling code with the country that it is of, as far as the number says. */
function Country({ countryCode, country }: Pick<Phone, 'countryCode' | 'country'>) {
  return (
    <span className={classes.country}>
      <Ltr>{countryCode}</Ltr>
      {country !== null && <span className={classes.second}>{countryName(country)}</span>}
    </span>
  )
}

/** The columns of the phone list: those of the specification first. */
export const phoneColumns = [
  col.cell('countryCode', (row) => <Country {...row} />),
  col.cell('phoneNumber', (row) => <Ltr>{row.phoneNumber}</Ltr>, { isName: true, grow: true }),
  col.ltr('national', { sort: false }),
  col.text('label'),
  col.text('owner', { sort: false }),
  col.option('kind', { sort: false }),
  col.status('status'),
  col.date('verifiedAt', { hidden: true }),
  col.date('lastUsedAt', { hidden: true }),
  col.text('deviceNote', { hidden: true, sort: false }),
  col.lease('lease', { hidden: true }),
  col.tags('tags', { hidden: true }),
  col.date('createdAt', { hidden: true }),
  col.date('updatedAt'),
]
