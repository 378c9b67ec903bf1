import type { z } from 'zod'
import type { IMPORT_KINDS, importColumnSchema } from '@weft/contract/imports/schema'
import { importFields } from '../../kit/import/fields.ts'
import { aliasesOf } from '../../kit/import/headers.ts'
import type { ResourceDefinition } from '../../kit/resource/definition.ts'

type Kind = (typeof IMPORT_KINDS)[number]

/** The columns that rows of a kind may have, each with what a row of a template says there. */
export function columnsOf(kind: Kind, definition: ResourceDefinition): z.input<typeof importColumnSchema>[] {
  return importFields(definition.imported.schema, definition.secrets).map((field) => ({
    ...field,
    aliases: aliasesOf(field.name),
    example: EXAMPLES[kind][field.name] ?? '',
  }))
}

/** A row of each kind that is taken as it stands. */
const EXAMPLES: Record<Kind, Readonly<Record<string, string>>> = {
  accounts: {
    type: 'website',
    username: 'ada.example',
    displayName: 'Ada Example',
    email: 'ada@example.com',
    password: 'the-password',
    allowedDomains: 'example.com; example.org',
    'limits.perDay': '20',
    'limits.perHour': '5',
    'limits.cooldownMinutes': '15',
    tags: 'north; spring',
    notes: 'Belongs to the shop',
  },
  clients: { name: 'Office 1', labels: 'office; north', tags: 'north', notes: 'Beside the printer' },
  profiles: {
    name: 'Shop north',
    browserType: 'chromium',
    locale: 'en-GB',
    timeZone: 'Europe/London',
    startUrls: 'https://example.com/',
    tags: 'north; spring',
    notes: 'For the shop',
  },
  phones: {
    phoneNumber: '+442071838750',
    countryCode: 'GB',
    label: 'Front desk',
    owner: 'Ada Example',
    kind: 'landline',
    deviceNote: 'The desk telephone',
    tags: 'north',
    notes: 'During the day',
  },
  proxies: {
    protocol: 'http',
    host: 'proxy.example.com',
    port: '8080',
    username: 'ada',
    password: 'the-password',
    type: 'datacenter',
    provider: 'Example Networks',
    country: 'GB',
    city: 'London',
    costPerMonth: '5',
    currency: 'EUR',
    capacity: '3',
    expiresAt: '2030-12-31',
    tags: 'north; spring',
    notes: 'Until the end of the year',
  },
  videos: {
    title: 'Spring in the north',
    description: 'Two minutes of flowers',
    channelName: 'Ada Example',
    rightsSource: 'Ada Example',
    licence: 'CC BY 4.0',
    rightsUntil: '2030-12-31',
    tags: 'north; spring',
    notes: 'To be cut once more',
  },
}
