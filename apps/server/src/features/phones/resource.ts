import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { phones } from '@weft/contract/phones/api'
import type { phoneSchema } from '@weft/contract/phones/schema'
import { defineResource } from '../../kit/resource/definition.ts'
import { commonView } from '../../kit/resource/view.ts'
import { account } from '../accounts/table.ts'
import {
  leaseColumn,
  leaseView,
  shownStatus,
  statusFilter,
  usedBy,
  usesOf,
  type Reference,
} from '../holds.ts'
import { phone, type PhoneRow } from './table.ts'

const accountsOf: Reference = {
  feature: 'accounts',
  subject: 'ACCOUNT',
  table: account,
  column: account.phoneId,
  name: account.username,
}
const use = { attachable: 'phones', leased: 'phone', references: [accountsOf] } as const
const hold = { kind: 'phone', shown: 'in_use', from: ['new', 'verified'] } satisfies {
  kind: 'phone'
  shown: PhoneRow['status']
  from: PhoneRow['status'][]
}
const lease = leaseColumn('phone', phone)

/** Phones, for the general calls of resources. */
export const phoneResource = defineResource<
  typeof phone,
  z.input<typeof phoneSchema>,
  z.output<typeof phones.create.input>
>({
  feature: 'phones',
  subject: 'PHONE',
  table: phone,
  search: phone.search,
  sort: {
    phoneNumber: phone.phoneNumber,
    countryCode: phone.countryCode,
    label: phone.label,
    status: phone.status,
  },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [statusFilter(hold, phone, input['status'])],
  extras: { lease },
  lease,
  name: phone.phoneNumber,
  secrets: [],
  links: [],
  identity: {
    constraint: 'phone_identity',
    field: 'phoneNumber',
    ofRow: sql`${phone.phoneNumber}`,
    ofInput: ({ phoneNumber }) => phoneNumber,
  },
  uses: (ctx, id) => usesOf(ctx, use, id),
  used: usedBy(phone, use),
  columns: (input) => input,
  present(row, extras, decisions) {
    const held = leaseView(extras)
    return {
      ...commonView(row, 'PHONE', decisions, { held: held !== null }),
      countryCode: row.countryCode,
      phoneNumber: row.phoneNumber,
      label: row.label,
      owner: row.owner,
      kind: row.kind,
      status: shownStatus(hold, row.status, held),
      lease: held,
    }
  },
  exported: [
    'countryCode',
    'phoneNumber',
    'label',
    'owner',
    'kind',
    'status',
    'tags',
    'notes',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: phones.create.input },
})
