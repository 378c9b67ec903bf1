import { z } from 'zod'
import { defineApi } from '../core/endpoint.ts'
import { id, idInput } from '../core/record.ts'
import { listName, viewName, viewSchema, viewsOfListSchema, viewStateSchema } from './schema.ts'

const at = '/api-user/api/v1/view'

/** Saved views of lists: search, filters, sort and columns under a name. */
export const views = defineApi('views', {
  list: {
    method: 'GET',
    path: `${at}/list`,
    access: 'signedIn',
    summary: 'One’s own views of a list, the shared ones, and the one it opens with',
    input: z.strictObject({ list: listName }),
    data: viewsOfListSchema,
  },
  create: {
    method: 'POST',
    path: `${at}/create`,
    access: 'signedIn',
    summary: 'Save a view of a list that one may see',
    input: z.strictObject({
      list: listName,
      name: viewName,
      shared: z.boolean().default(false),
      state: viewStateSchema,
    }),
    data: viewSchema,
    audit: 'view.create',
  },
  update: {
    method: 'POST',
    path: `${at}/update`,
    access: 'signedIn',
    summary: 'Rename a view, share it or not, or save another state in it',
    input: z.strictObject({
      id,
      name: viewName.optional(),
      shared: z.boolean().optional(),
      state: viewStateSchema.optional(),
    }),
    data: viewSchema,
    audit: 'view.update',
  },
  remove: {
    method: 'POST',
    path: `${at}/delete/{id}`,
    access: 'signedIn',
    summary: 'Delete a view for good; what it shows stays',
    input: idInput,
    audit: 'view.delete',
  },
  setDefault: {
    method: 'POST',
    path: `${at}/default`,
    access: 'signedIn',
    summary:
      'Choose the view that a list opens with: for oneself, or with roleId for a role; null for none of one’s own, with `none` for none at all',
    input: z.strictObject({
      list: listName,
      viewId: id.nullable(),
      roleId: id.optional(),
      /** The list opens without a view, also where a role has one for it. */
      none: z.boolean().default(false),
    }),
    data: viewsOfListSchema,
    audit: 'view.default',
  },
})
