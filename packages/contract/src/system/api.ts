import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { timestamp } from '../core/record.ts'
import { maintenanceSchema, systemConfigSchema } from './schema.ts'
import { settingChangeSchema, settingSchema } from './settings.ts'

const prefix = '/api-internal/api/v1/system'
const manage = { action: 'MANAGE', subject: 'SYSTEM' } as const

/** The configuration as visitors see it, the settings, and the maintenance. */
export const system = defineApi('system', {
  config: {
    method: 'GET',
    path: `${prefix}/system-config`,
    access: 'public',
    summary: 'Status, site name, and the routes this visitor may see',
    data: systemConfigSchema,
    duringMaintenance: true,
  },
  settings: {
    method: 'GET',
    path: `${prefix}/settings`,
    access: manage,
    summary: 'Every setting with its default, and who changed it',
    list: settingSchema,
    duringMaintenance: true,
  },
  saveSettings: {
    method: 'POST',
    path: `${prefix}/settings`,
    access: manage,
    summary: 'Change settings, all or none; null sets one back to its default',
    input: z.strictObject({ changes: z.array(settingChangeSchema).min(1).max(100) }),
    list: settingSchema,
    audit: 'settings.change',
    idempotent: false,
    duringMaintenance: true,
  },
  maintenance: {
    method: 'GET',
    path: `${prefix}/maintenance`,
    access: manage,
    summary: 'The status, what is planned, and how many runs are still under way',
    data: maintenanceSchema,
    duringMaintenance: true,
  },
  beginMaintenance: {
    method: 'POST',
    path: `${prefix}/maintenance/begin`,
    access: manage,
    summary:
      'Begin read-only or maintenance, now or at a time; before that, no new run begins and those under way finish',
    input: z.strictObject({
      /** 2 read-only, 3 maintenance. */
      status: z.union([z.literal(2), z.literal(3)]),
      /** Left out or null: now. */
      at: timestamp.nullable().default(null),
      /** From when on no new run begins. Null: from now on. */
      drainFrom: timestamp.nullable().default(null),
      note: z.string().trim().max(500).default(''),
      until: timestamp.nullable().default(null),
    }),
    data: maintenanceSchema,
    audit: 'maintenance.begin',
    duringMaintenance: true,
  },
  cancelMaintenance: {
    method: 'POST',
    path: `${prefix}/maintenance/cancel`,
    access: manage,
    summary: 'Give up a maintenance that is planned; new runs begin again',
    data: maintenanceSchema,
    audit: 'maintenance.cancel',
    duringMaintenance: true,
  },
  endMaintenance: {
    method: 'POST',
    path: `${prefix}/maintenance/end`,
    access: manage,
    summary: 'Be running again; waiting pages open by themselves',
    data: maintenanceSchema,
    audit: 'maintenance.end',
    duringMaintenance: true,
  },
})
