import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import { LOCALES, timeZone } from '../users/schema.ts'
import { SYSTEM_RUNNING } from './schema.ts'

const line = z
  .string()
  .trim()
  .regex(/^[^\r\n]*$/)
const whole = (min: number, max: number) => z.int().min(min).max(max)

/** Networks as CIDR, parted by commas or spaces. */
const networks = z
  .string()
  .trim()
  .max(1000)
  .refine((text) => text.split(/[\s,]+/).every((part) => part === '' || cidr.safeParse(part).success), {
    error: 'format',
  })
const cidr = z.union([z.cidrv4(), z.cidrv6()])

/** A maintenance that is to begin: from `drainFrom` on no new run begins, at `at` the system takes `status`. */
export const maintenancePlanSchema = z.strictObject({
  at: timestamp,
  drainFrom: timestamp,
  status: z.union([z.literal(2), z.literal(3)]),
})
export type MaintenancePlan = z.infer<typeof maintenancePlanSchema>

/** Every setting of the installation with its form and its default. Nothing else says what a setting may be. */
export const settingsSchema = z.object({
  siteName: line.pipe(z.string().min(1).max(80)).default('WEFT'),
  defaultLanguage: z.enum(LOCALES).default('en'),
  defaultTimeZone: timeZone.nullable().default(null),
  systemStatus: whole(0, 99).default(SYSTEM_RUNNING),
  maintenanceNote: z.string().trim().max(500).default(''),
  maintenanceUntil: timestamp.nullable().default(null),
  maintenancePlan: maintenancePlanSchema.nullable().default(null),
  localSignIn: z.boolean().default(true),
  signInAttempts: whole(3, 20).default(5),
  signInAttemptsPerAddress: whole(5, 500).default(20),
  googleReCaptchaKey: line.pipe(z.string().max(200)).default(''),
  sessionIdleMinutes: whole(15, 1_440).default(120),
  sessionHours: whole(1, 168).default(12),
  rememberedDays: whole(1, 90).default(30),
  mailDays: whole(1, 365).default(30),
  notificationDays: whole(7, 365).default(90),
  sessionRecordDays: whole(1, 365).default(30),
  videoMaxMegabytes: whole(1, 1_000_000).default(10_000),
  videoStorageGigabytes: whole(1, 1_000_000).default(100),
  videoUploadHours: whole(1, 720).default(48),
  /** Asked through each proxy; its answer tells the address that it saw. Empty: this server's own `/check`. */
  proxyCheckUrl: z.union([z.literal(''), z.url({ protocol: /^https?$/ }).max(2000)]).default(''),
  /** 0: proxies are checked only when somebody asks. */
  proxyCheckMinutes: whole(0, 10_080).default(60),
  proxySlowMs: whole(100, 15_000).default(3_000),
  /** Networks of private addresses in which proxies may stand. */
  proxyPrivateNetworks: networks.default(''),
  /** An account is paused when so many items in a row failed on it alike; 0: never. */
  accountFailures: whole(0, 100).default(3),
})
export type SettingValues = z.output<typeof settingsSchema>
export type SettingKey = keyof SettingValues

export const SETTING_GROUPS = [
  'site',
  'signIn',
  'sessions',
  'proxies',
  'accounts',
  'retention',
  'videos',
  'maintenance',
] as const
export type SettingGroup = (typeof SETTING_GROUPS)[number]

/** How a setting is shown: its group, the control that it is changed with, and whether visitors are told of it. */
export interface SettingForm {
  group: SettingGroup
  kind: 'text' | 'note' | 'number' | 'flag' | 'language' | 'timeZone' | 'moment' | 'status' | 'plan'
  public?: true
  unit?: 'milliseconds' | 'minutes' | 'hours' | 'days' | 'attempts' | 'megabytes' | 'gigabytes'
  /** Changing it asks for a fresh proof of who one is. */
  sensitive?: true
}

/** The forms of all settings, in the order in which they are shown. */
export const SETTING_FORMS: Readonly<Record<SettingKey, SettingForm>> = {
  siteName: { group: 'site', kind: 'text', public: true },
  defaultLanguage: { group: 'site', kind: 'language', public: true },
  defaultTimeZone: { group: 'site', kind: 'timeZone' },
  localSignIn: { group: 'signIn', kind: 'flag', public: true, sensitive: true },
  signInAttempts: { group: 'signIn', kind: 'number', unit: 'attempts', sensitive: true },
  signInAttemptsPerAddress: { group: 'signIn', kind: 'number', unit: 'attempts', sensitive: true },
  googleReCaptchaKey: { group: 'signIn', kind: 'text', public: true, sensitive: true },
  sessionIdleMinutes: { group: 'sessions', kind: 'number', unit: 'minutes', sensitive: true },
  sessionHours: { group: 'sessions', kind: 'number', unit: 'hours', sensitive: true },
  rememberedDays: { group: 'sessions', kind: 'number', unit: 'days', sensitive: true },
  proxyCheckUrl: { group: 'proxies', kind: 'text', sensitive: true },
  proxyCheckMinutes: { group: 'proxies', kind: 'number', unit: 'minutes' },
  proxySlowMs: { group: 'proxies', kind: 'number', unit: 'milliseconds' },
  proxyPrivateNetworks: { group: 'proxies', kind: 'text', sensitive: true },
  accountFailures: { group: 'accounts', kind: 'number' },
  mailDays: { group: 'retention', kind: 'number', unit: 'days' },
  notificationDays: { group: 'retention', kind: 'number', unit: 'days' },
  sessionRecordDays: { group: 'retention', kind: 'number', unit: 'days' },
  videoMaxMegabytes: { group: 'videos', kind: 'number', unit: 'megabytes' },
  videoStorageGigabytes: { group: 'videos', kind: 'number', unit: 'gigabytes' },
  videoUploadHours: { group: 'videos', kind: 'number', unit: 'hours' },
  systemStatus: { group: 'maintenance', kind: 'status', public: true },
  maintenanceNote: { group: 'maintenance', kind: 'note', public: true },
  maintenanceUntil: { group: 'maintenance', kind: 'moment', public: true },
  maintenancePlan: { group: 'maintenance', kind: 'plan', public: true },
}

/** The names of all settings. */
export const SETTING_KEYS = settingsSchema.keyof().options

/** Each setting where nobody has changed it. */
export const SETTING_DEFAULTS: SettingValues = settingsSchema.parse({})

/** A setting as it is now. */
export const settingSchema = z.object({
  key: settingsSchema.keyof(),
  value: z.unknown(),
  default: z.unknown(),
  /** Counts its changes; 0: never changed. A change carries the version it was made on. */
  version: z.number().int(),
  changedAt: timestamp.nullable(),
  changedBy: z.object({ id, name: z.string() }).nullable(),
})
export type Setting = z.infer<typeof settingSchema>

/** A change of one setting; null sets it back to its default. */
export const settingChangeSchema = z.strictObject({
  key: settingsSchema.keyof(),
  value: z.unknown(),
  version: z.int().min(0),
})
