import { z } from 'zod'
import { ssoButtonSchema } from '../access/sso/schema.ts'
import { ACTIONS, SUBJECTS } from '../core/permissions.ts'

/** 1 running, 2 read-only, anything else maintenance. */
export const SYSTEM_RUNNING = 1
export const SYSTEM_READ_ONLY = 2

/** A route as the console builds it: the name is the full path, `file` a page file of the console. */
export interface RouteNode {
  name: string
  path: string
  file?: string | undefined
  redirect?: string | undefined
  group?: string | undefined
  hidden?: boolean | undefined
  /** Leads out of the console. */
  link?: string | undefined
  order?: number | undefined
  meta: RouteMeta
  children?: RouteNode[] | undefined
}

/** Words of an installation's own, by language; where a language has none, those of `key`, then any. */
export const ownTitleSchema = z.object({
  key: z.string().optional(),
  en: z.string().optional(),
  fr: z.string().optional(),
  ar: z.string().optional(),
})
export type OwnTitle = z.infer<typeof ownTitleSchema>

export const routeMetaSchema = z.object({
  /** Translation key of the page title and of the menu item, or words of the installation's own. */
  title: z.union([z.string(), ownTitleSchema]).optional(),
  icon: z.string().optional(),
  resource: z.enum(SUBJECTS).optional(),
  action: z.enum(ACTIONS).optional(),
  requireAuth: z.boolean().optional(),
  layout: z.enum(['default', 'blank']).optional(),
})
export type RouteMeta = z.infer<typeof routeMetaSchema>

export const routeNodeSchema: z.ZodType<RouteNode> = z.lazy(() =>
  z.object({
    name: z.string(),
    path: z.string(),
    file: z.string().optional(),
    redirect: z.string().optional(),
    group: z.string().optional(),
    hidden: z.boolean().optional(),
    link: z.string().optional(),
    order: z.number().optional(),
    meta: routeMetaSchema,
    children: z.array(routeNodeSchema).optional(),
  }),
)

/** What a visitor may see of the configuration. */
export const systemConfigSchema = z.object({
  systemStatus: z.number().int(),
  siteName: z.string(),
  routes: z.array(routeNodeSchema),
  googleReCaptchaKey: z.string(),
  /** The script of the bot check, to be loaded with the key; empty while the check is off. */
  botCheckScript: z.string(),
  /** How one may sign in: with a password of this installation, with a provider. */
  authModes: z.array(z.enum(['LOCAL', 'SSO'])),
  ssoProviders: z.array(ssoButtonSchema),
  /** What is shown to those who have not chosen a language. */
  defaultLanguage: z.enum(['en', 'fr', 'ar']),
  maintenance: z.object({
    /** What the administrator says about it. */
    note: z.string(),
    /** When it is expected to be over. */
    until: z.string().nullable(),
    /** One that is to begin; from `drainFrom` on no new run begins. */
    planned: z.object({ at: z.string(), drainFrom: z.string(), status: z.number().int() }).nullable(),
  }),
  languages: z.array(z.object({ code: z.string(), name: z.string(), rtl: z.boolean() })),
  needsSetUp: z.boolean(),
  practiceUrl: z.string().nullable(),
  version: z.string(),
})
export type SystemConfig = z.infer<typeof systemConfigSchema>

/** The maintenance as administrators see it. */
export const maintenanceSchema = z.object({
  status: z.number().int(),
  note: z.string(),
  until: z.string().nullable(),
  planned: z.object({ at: z.string(), drainFrom: z.string(), status: z.number().int() }).nullable(),
  /** Whether new runs begin now. */
  takesNewRuns: z.boolean(),
  /** Runs that are under way. */
  runsUnderWay: z.number().int(),
})
export type Maintenance = z.infer<typeof maintenanceSchema>
