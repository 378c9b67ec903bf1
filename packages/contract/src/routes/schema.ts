import { z } from 'zod'
import { id, timestamp } from '../core/record.ts'
import { routeNodeSchema } from '../system/schema.ts'

/** The icons that an entry of the menu may have. */
export const ROUTE_ICONS = [
  'dashboard',
  'campaign',
  'project',
  'workflow',
  'resource',
  'client',
  'account',
  'profile',
  'desk',
  'phone',
  'proxy',
  'video',
  'device',
  'report',
  'config',
  'activity',
  'market',
  'fashion',
  'chat',
  'user',
  'package',
  'link',
  'folder',
] as const

const words = z.string().trim().min(1).max(60).optional()
const titles = z.strictObject({ en: words, fr: words, ar: words })
const ownTitles = titles.refine(({ en, fr, ar }) => (en ?? fr ?? ar) !== undefined, {
  error: 'routes.empty_title',
})
const icon = z.enum(ROUTE_ICONS).optional()
const hidden = z.boolean().optional()
const url = z
  .string()
  .max(1_000)
  .refine((text) => /^https:\/\/[^\s/]/.test(text) && URL.canParse(text), { error: 'routes.link' })

/** A page that is shipped; titles of its own come before the shipped words. */
const page = z.strictObject({
  kind: z.literal('page'),
  path: z.string().max(200),
  titles: titles.optional(),
  icon,
  hidden,
})
const link = z.strictObject({ kind: z.literal('link'), id, titles: ownTitles, icon, hidden, url })
const leaves = z.array(z.discriminatedUnion('kind', [page, link])).max(100)

/** An entry within a group. */
export type MenuLeaf = z.infer<typeof page> | z.infer<typeof link>
const group = z.strictObject({
  kind: z.literal('group'),
  id,
  titles: ownTitles,
  icon,
  hidden,
  children: leaves,
})

/** The menu as an installation arranged it: entries, and groups of entries. */
export const menuTreeSchema = z
  .array(z.discriminatedUnion('kind', [page.extend({ children: leaves.optional() }), link, group]))
  .max(100)
export type MenuTree = z.infer<typeof menuTreeSchema>
export type MenuEntry = MenuTree[number]

/** A shipped page as the editor needs to know it. */
export const shippedPageSchema = z.object({
  path: z.string(),
  /** Translation key of its words. */
  title: z.string(),
  icon: z.string().nullable(),
  /** The shipped group that it belongs to. */
  parent: z.string().nullable(),
  /** It is a group of pages and stands at the top. */
  isGroup: z.boolean(),
  /** It can be moved and named, but never hidden. */
  fixed: z.boolean(),
  /** The right that a person needs to see it. */
  right: z.object({ action: z.string(), subject: z.string() }).nullable(),
})
export type ShippedPage = z.infer<typeof shippedPageSchema>

/** The menu with all that the editor works on. */
export const menuSchema = z.object({
  /** Counts the saves; 0: never changed. */
  version: z.number().int(),
  /** Whether it is as shipped. */
  isShipped: z.boolean(),
  tree: menuTreeSchema,
  shippedTree: menuTreeSchema,
  pages: z.array(shippedPageSchema),
})
export type MenuState = z.infer<typeof menuSchema>

/** One save of the menu. */
export const menuVersionSchema = z.object({
  version: z.number().int(),
  at: timestamp,
  by: z.object({ id, name: z.string() }).nullable(),
  note: z.string(),
  /** The version that it brought back; 0: the menu as shipped. */
  restored: z.number().int().nullable(),
  isShipped: z.boolean(),
  tree: menuTreeSchema,
})
export type MenuVersion = z.infer<typeof menuVersionSchema>

/** What a role sees of a menu. */
export const menuPreviewSchema = z.object({ routes: z.array(routeNodeSchema) })
