import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { phones } from '@weft/contract/phones/api'
import type { phoneSchema } from '@weft/contract/phones/schema'
import { AppError } from '../../kit/app-error.ts'
import { iso } from '../../kit/record.ts'
import { defineResource, type Columns } from '../../kit/resource/definition.ts'
import { commonView, oneOf } from '../../kit/resource/view.ts'
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
import { readNumber, shownNumber, type KnownNumber } from './number.ts'
import { phone, type PhoneRow } from './table.ts'

type PhoneInput = z.output<typeof phones.create.input>

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

const importedSchema = phones.create.input.superRefine(({ phoneNumber, countryCode }, context) => {
  const read = readNumber(phoneNumber, countryCode)
  if ('problem' in read)
    context.addIssue({ code: 'custom', path: [read.problem.path], message: read.problem.code })
})

/** Phones, for the general calls of resources. */
export const phoneResource = defineResource<typeof phone, z.input<typeof phoneSchema>, PhoneInput>({
  feature: 'phones',
  subject: 'PHONE',
  table: phone,
  search: phone.search,
  sort: {
    phoneNumber: phone.phoneNumber,
    countryCode: [phone.countryCode, phone.createdAt],
    label: phone.label,
    status: [phone.status, phone.createdAt],
    verifiedAt: phone.verifiedAt,
    lastUsedAt: phone.lastUsedAt,
  },
  defaultSort: { by: 'createdAt', desc: true },
  filter: (input) => [
    statusFilter(hold, phone, input['status']),
    oneOf(phone.kind, input['kind']),
    oneOf(phone.countryCode, input['countryCode']),
  ],
  extras: { lease },
  lease,
  name: phone.phoneNumber,
  plain: ['label', 'owner', 'kind', 'deviceNote', 'status'],
  secrets: [],
  links: [],
  identity: {
    constraint: 'phone_identity',
    field: 'phoneNumber',
    ofRow: sql`${phone.phoneNumber}`,
    ofInput: (input) => numberOf(input).phoneNumber,
  },
  uses: (ctx, id) => usesOf(ctx, use, id),
  used: usedBy(phone, use),
  columns,
  present(row, extras, decisions) {
    const held = leaseView(extras)
    return {
      ...commonView(row, 'PHONE', decisions, { leased: held !== null }),
      countryCode: row.countryCode,
      phoneNumber: row.phoneNumber,
      ...shownNumber(row.phoneNumber),
      label: row.label,
      owner: row.owner,
      kind: row.kind,
      deviceNote: row.deviceNote,
      status: shownStatus(hold, row.status, held),
      verifiedAt: iso(row.verifiedAt),
      lastUsedAt: iso(row.lastUsedAt),
      lease: held,
    }
  },
  exported: [
    'countryCode',
    'phoneNumber',
    'country',
    'label',
    'owner',
    'kind',
    'deviceNote',
    'status',
    'verifiedAt',
    'lastUsedAt',
    'tags',
    'notes',
    'createdAt',
    'updatedAt',
    'id',
  ],
  imported: { schema: importedSchema },
})

const WORDS = { format: 'Not a valid number', not_same: 'The number is of another country' } as const

/** The number of an input that is whole; refuses what is none. */
function numberOf({
  phoneNumber,
  countryCode,
}: Pick<PhoneInput, 'phoneNumber' | 'countryCode'>): KnownNumber {
  const read = readNumber(phoneNumber, countryCode)
  if ('number' in read) return read.number
  const { path, code } = read.problem
  throw new AppError('request.invalid', {}, { errors: [{ path, code, message: WORDS[code] }] })
}

/** The columns of an input: whatever way the number is written, it is kept as E.164 with its calling code. */
function columns(input: Partial<PhoneInput>, before: PhoneRow | undefined): Columns<typeof phone> {
  const { phoneNumber, countryCode, ...plain } = input
  if (phoneNumber === undefined && countryCode === undefined) return plain
  return {
    ...plain,
    ...numberOf({ phoneNumber: phoneNumber ?? before?.phoneNumber ?? '', countryCode: countryCode ?? null }),
  }
}
