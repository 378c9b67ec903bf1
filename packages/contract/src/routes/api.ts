import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { menuPreviewSchema, menuSchema, menuTreeSchema, menuVersionSchema } from './schema.ts'

const at = '/api-internal/api/v1/system/routes'
const view = { action: 'VIEW', subject: 'ROUTE' } as const
const update = { action: 'UPDATE', subject: 'ROUTE' } as const
const version = z.int().min(0)
const note = z.string().trim().max(200).default('')

/** The console's menu as this installation arranges it. */
export const routes = defineApi('routes', {
  get: {
    method: 'GET',
    path: at,
    access: view,
    summary: 'The menu with the shipped pages that it is made of',
    data: menuSchema,
  },
  save: {
    method: 'POST',
    path: at,
    access: update,
    summary: 'Save the menu as a new version; open consoles take it at once',
    input: z.strictObject({ version, tree: menuTreeSchema, note }),
    data: menuSchema,
    audit: 'routes.save',
  },
  versions: {
    method: 'GET',
    path: `${at}/versions`,
    access: view,
    summary: 'The last hundred saves, the newest first',
    list: menuVersionSchema,
  },
  restore: {
    method: 'POST',
    path: `${at}/restore`,
    access: update,
    summary: 'Bring a version back as a new one; 0 is the menu as shipped',
    input: z.strictObject({ version, to: version, note }),
    data: menuSchema,
    audit: 'routes.restore',
  },
  preview: {
    method: 'POST',
    path: `${at}/preview`,
    access: view,
    summary: 'What a role would see of a menu, or of the one that is saved',
    input: z.strictObject({ role: z.string().min(1).max(64), tree: menuTreeSchema.optional() }),
    inQuery: ['role'],
    data: menuPreviewSchema,
    idempotent: false,
    readsOnly: true,
  },
})
