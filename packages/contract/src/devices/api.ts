import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryFlag, queryList } from '../core/list.ts'
import { id, idInput, version } from '../core/record.ts'
import { DEVICE_KINDS, deviceCreate, deviceSchema, deviceUpdate } from './schema.ts'

const AT = '/api-elsa/api/v1/elsa/device'

export const devices = defineApi('devices', {
  list: {
    method: 'GET',
    path: `${AT}/list`,
    access: { action: 'VIEW', subject: 'DEVICE' },
    summary: 'Device presets by name',
    input: listQuery({
      sortable: ['name', 'kind', 'updatedAt'],
      filters: {
        kind: queryList(z.enum(DEVICE_KINDS)).optional(),
        builtIn: queryFlag.optional(),
      },
    }),
    list: deviceSchema,
  },
  get: {
    method: 'GET',
    path: `${AT}/get/{id}`,
    access: { action: 'VIEW', subject: 'DEVICE' },
    summary: 'One device preset',
    input: idInput,
    data: deviceSchema,
  },
  create: {
    method: 'POST',
    path: `${AT}/create`,
    access: { action: 'CREATE', subject: 'DEVICE' },
    summary: 'Create a device preset',
    input: z.strictObject(deviceCreate),
    data: deviceSchema,
    audit: 'device.create',
  },
  update: {
    method: 'POST',
    path: `${AT}/update`,
    access: { action: 'UPDATE', subject: 'DEVICE' },
    summary: 'Change a device preset of your own',
    input: z.strictObject({ id, version, ...deviceUpdate }),
    data: deviceSchema,
    audit: 'device.update',
  },
  remove: {
    method: 'POST',
    path: `${AT}/delete/{id}`,
    access: { action: 'DELETE', subject: 'DEVICE' },
    summary: 'Delete a device preset that no profile uses',
    input: idInput,
    audit: 'device.delete',
  },
  whereUsed: {
    method: 'GET',
    path: `${AT}/where-used/{id}`,
    access: { action: 'VIEW', subject: 'DEVICE' },
    summary: 'The profiles that use this device preset',
    input: idInput,
    data: z.array(z.object({ feature: z.string(), id, name: z.string(), blocks: z.boolean() })),
  },
})
