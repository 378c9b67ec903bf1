import { z } from 'zod'
import { queryList } from '../core/list.ts'
import { resourceApi } from '../core/resource.ts'
import {
  PROXY_PROTOCOLS,
  PROXY_SOURCES,
  PROXY_STATUSES,
  proxyCreate,
  proxySchema,
  proxyUpdate,
} from './schema.ts'

export const proxies = resourceApi({
  feature: 'proxies',
  path: 'proxy',
  subject: 'PROXY',
  noun: 'proxy',
  record: proxySchema,
  create: proxyCreate,
  update: proxyUpdate,
  sortable: ['host', 'protocol', 'type', 'status', 'latencyMs', 'checkedAt', 'createdAt', 'updatedAt'],
  filters: {
    proxySource: queryList(z.enum(PROXY_SOURCES)).optional(),
    protocol: queryList(z.enum(PROXY_PROTOCOLS)).optional(),
    status: queryList(z.enum(PROXY_STATUSES)).optional(),
    tag: z.string().max(40).optional(),
  },
})
