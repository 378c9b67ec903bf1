import { defineApi } from '../core/endpoint.ts'
import { systemConfigSchema } from './schema.ts'

export const system = defineApi('system', {
  config: {
    method: 'GET',
    path: '/api-internal/api/v1/system/system-config',
    access: 'public',
    summary: 'Status, site name, and the routes this visitor may see',
    data: systemConfigSchema,
    duringMaintenance: true,
  },
})
