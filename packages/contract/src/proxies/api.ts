import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { queryList } from '../core/list.ts'
import { RESOURCES_PREFIX, resourceApi } from '../core/resource.ts'
import {
  PROXY_EXPIRIES,
  PROXY_PROTOCOLS,
  PROXY_SOURCES,
  PROXY_STATUSES,
  PROXY_SUCCESSES,
  PROXY_TYPES,
  proxyCheckInput,
  proxyCheckSchema,
  proxyCheckSetupSchema,
  proxyCreate,
  proxySchema,
  proxyTestInput,
  proxyTestSchema,
  proxyUpdate,
} from './schema.ts'

const access = { action: 'RUN', subject: 'PROXY' } as const

export const proxies = {
  ...resourceApi({
    feature: 'proxies',
    path: 'proxy',
    subject: 'PROXY',
    noun: 'proxy',
    record: proxySchema,
    create: proxyCreate,
    update: proxyUpdate,
    sortable: [
      'host',
      'protocol',
      'type',
      'status',
      'latencyMs',
      'successRatio24h',
      'checkedAt',
      'expiresAt',
      'createdAt',
      'updatedAt',
    ],
    filters: {
      proxySource: queryList(z.enum(PROXY_SOURCES)).optional(),
      protocol: queryList(z.enum(PROXY_PROTOCOLS)).optional(),
      type: queryList(z.enum(PROXY_TYPES)).optional(),
      status: queryList(z.enum(PROXY_STATUSES)).optional(),
      success: queryList(z.enum(PROXY_SUCCESSES)).optional(),
      expiry: queryList(z.enum(PROXY_EXPIRIES)).optional(),
      country: queryList(z.string().max(2)).optional(),
      tag: z.string().max(40).optional(),
    },
  }),
  ...defineApi('proxies', {
    check: {
      method: 'POST',
      path: `${RESOURCES_PREFIX}/proxy/check`,
      access,
      summary: 'Check proxies: one, the chosen, or all that match; they are checked in the background',
      input: proxyCheckInput,
      data: proxyCheckSchema,
      audit: 'proxy.check',
    },
    checking: {
      method: 'GET',
      path: `${RESOURCES_PREFIX}/proxy/checking`,
      access,
      summary: 'How far the check that you asked for last has come',
      data: proxyCheckSchema.nullable(),
    },
    checkSetup: {
      method: 'GET',
      path: `${RESOURCES_PREFIX}/proxy/check-setup`,
      access: { action: 'VIEW', subject: 'PROXY' },
      summary: 'How proxies are checked here',
      data: proxyCheckSetupSchema,
    },
    test: {
      method: 'POST',
      path: `${RESOURCES_PREFIX}/proxy/test`,
      access,
      summary: 'Try a proxy before it is saved; nothing is kept',
      input: proxyTestInput,
      data: proxyTestSchema,
      idempotent: false,
    },
  }),
}
