import { z } from 'zod'
import { ACTIONS, ruleSchema, SUBJECTS } from '../core/permissions.ts'
import { baseRecord, id } from '../core/record.ts'

export const roleRules = z.array(ruleSchema).max(500)

const plain = {
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2000),
  rules: roleRules,
  requiresTwoSteps: z.boolean(),
}

/** A bundle of rules that people are given. */
export const roleSchema = z.object({
  ...baseRecord,
  ...plain,
  key: z.string(),
  /** Comes with the program: its rules cannot be changed, only copied. */
  builtIn: z.boolean(),
  /** How many people have it. */
  people: z.number().int(),
})
export type Role = z.infer<typeof roleSchema>

export const roleCreate = {
  ...plain,
  description: plain.description.default(''),
  requiresTwoSteps: plain.requiresTwoSteps.default(false),
}
export const roleUpdate = z.object(plain).partial().shape

/** One action on one function. */
const right = { subject: z.enum(SUBJECTS), action: z.enum(ACTIONS) }
export const rightSchema = z.object(right)
export type Right = z.infer<typeof rightSchema>

/** What a change of a role would give and take, before it is made. */
export const previewSchema = z.object({
  /** Those of the people concerned whom the caller may see. */
  people: z.array(
    z.object({
      id,
      username: z.string(),
      displayName: z.string(),
      gains: z.array(rightSchema),
      losses: z.array(rightSchema),
    }),
  ),
  /** How many are concerned, whether or not the caller may see them. */
  concerned: z.number().int(),
  totals: z.array(z.object({ ...right, gains: z.number().int(), losses: z.number().int() })),
})
export type RolePreview = z.infer<typeof previewSchema>

/** Why something is allowed or not. */
export const EXPLAIN_REASONS = [
  'rule',
  'forbidden',
  'no_rule',
  'not_this_record',
  'above',
  'function_off',
  'suspended',
  'everybody',
] as const
export const explanationSchema = z.object({
  allowed: z.boolean(),
  /** Only for some records, or some of their fields: which, the rule says. */
  partly: z.boolean(),
  reason: z.enum(EXPLAIN_REASONS),
  /** The rule that decided, and the role it is from. */
  decidedBy: z.object({ role: z.string(), roleName: z.string(), rule: ruleSchema }).nullable(),
  /** Who stands above and does not hold it. */
  above: z.string().nullable(),
})
export type Explanation = z.infer<typeof explanationSchema>

export const RISKS = ['low', 'medium', 'high'] as const
export const FUNCTION_GROUPS = [
  'automation',
  'resources',
  'insight',
  'market',
  'studio',
  'administration',
] as const
export const FIELD_KINDS = ['id', 'text', 'number', 'time', 'boolean', 'option'] as const

/** An entry of the catalogue of things that a role can be allowed to do. */
export const functionSchema = z.object({
  subject: z.enum(SUBJECTS),
  group: z.enum(FUNCTION_GROUPS),
  risk: z.enum(RISKS),
  /** The actions that some call asks for. */
  actions: z.array(z.enum(ACTIONS)),
  calls: z.number().int(),
  enabled: z.boolean(),
  /** Cannot be switched off. */
  fixed: z.boolean(),
  /** What conditions can compare. */
  conditions: z.array(
    z.object({ name: z.string(), kind: z.enum(FIELD_KINDS), options: z.array(z.string()).optional() }),
  ),
  /** What UPDATE can be limited to. */
  fields: z.array(z.string()),
})
export type FunctionEntry = z.infer<typeof functionSchema>
