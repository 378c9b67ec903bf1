import { z } from 'zod'

/** What can be done to a subject; the vocabulary of every ability rule. */
export const ACTIONS = [
  'VIEW',
  'CREATE',
  'UPDATE',
  'DELETE',
  'RUN',
  'PUBLISH',
  'EXPORT',
  'IMPORT',
  'REVEAL',
  'BUY',
  'SELL',
  'MANAGE',
] as const

/** What rules speak about: the functions of the product. */
export const SUBJECTS = [
  'CAMPAIGN',
  'WORKFLOW',
  'PROJECT',
  'ACTIVITY',
  'DEVICE',
  'CLIENT',
  'ACCOUNT',
  'PROFILE',
  'PHONE',
  'PROXY',
  'VIDEO',
  'REPORT',
  'PACKAGE',
  'LISTING',
  'LEDGER',
  'FASHION',
  'CHAT',
  'ASSISTANT',
  'USER',
  'ROLE',
  'FUNCTION',
  'ROUTE',
  'SYSTEM',
  'AUDIT',
  'AUTH',
] as const

export type Action = (typeof ACTIONS)[number]
export type Subject = (typeof SUBJECTS)[number]

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])

/** The only comparisons a condition may use, so that every rule can also be written as SQL. */
export const conditionSchema = z.union([
  scalar,
  z.strictObject({
    $eq: scalar.optional(),
    $ne: scalar.optional(),
    $in: z.array(scalar).optional(),
    $nin: z.array(scalar).optional(),
    $lt: scalar.optional(),
    $lte: scalar.optional(),
    $gt: scalar.optional(),
    $gte: scalar.optional(),
  }),
])

/** One CASL rule. A condition's text may name the user: `${user.id}`. */
export const ruleSchema = z.strictObject({
  action: z.union([z.enum(ACTIONS), z.array(z.enum(ACTIONS)).min(1)]),
  subject: z.union([z.enum(SUBJECTS), z.literal('all'), z.array(z.enum(SUBJECTS)).min(1)]),
  conditions: z.record(z.string(), conditionSchema).optional(),
  fields: z.array(z.string()).optional(),
  inverted: z.boolean().optional(),
})
export type Rule = z.infer<typeof ruleSchema>

/** What anybody may do, signed in or not. */
export const ANONYMOUS_RULES: Rule[] = [{ action: 'VIEW', subject: 'AUTH' }]

const OWN = { ownerId: '${user.id}' }
const RESOURCES: Subject[] = ['CLIENT', 'ACCOUNT', 'PROFILE', 'PHONE', 'PROXY', 'VIDEO']
const WORK: Subject[] = ['CAMPAIGN', 'WORKFLOW', 'PROJECT', 'FASHION', 'CHAT', 'ASSISTANT']
const SHARED: Subject[] = ['ACTIVITY', 'DEVICE', 'PACKAGE', 'LISTING']

/** The three roles every installation has; they cannot be changed or removed. */
export const BUILT_IN_ROLES: Record<'administrator' | 'operator' | 'viewer', Rule[]> = {
  administrator: [{ action: [...ACTIONS], subject: 'all' }],
  operator: [
    {
      action: ['VIEW', 'CREATE', 'UPDATE', 'DELETE', 'RUN', 'PUBLISH', 'EXPORT', 'IMPORT'],
      subject: [...RESOURCES, ...WORK],
      conditions: OWN,
    },
    { action: 'REVEAL', subject: 'ACCOUNT', conditions: OWN },
    { action: 'VIEW', subject: [...SHARED, 'REPORT'] },
    { action: ['CREATE', 'UPDATE', 'DELETE'], subject: 'DEVICE', conditions: OWN },
    { action: ['VIEW', 'BUY'], subject: 'LEDGER', conditions: OWN },
  ],
  viewer: [
    { action: 'VIEW', subject: [...RESOURCES, 'CAMPAIGN', 'WORKFLOW', 'PROJECT', ...SHARED, 'REPORT'] },
  ],
}
