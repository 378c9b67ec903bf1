import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { listQuery, queryList } from '../core/list.ts'
import { deviceSchema } from './schema.ts'

export const devices = defineApi('devices', {
  list: {
    method: 'GET',
    path: '/api-elsa/api/v1/elsa/device/list',
    access: { action: 'VIEW', subject: 'DEVICE' },
    summary: 'Device presets by name',
    input: listQuery({
      sortable: ['name', 'kind'],
      filters: { kind: queryList(z.enum(['desktop', 'tablet', 'phone'])).optional() },
    }),
    list: deviceSchema,
  },
})
