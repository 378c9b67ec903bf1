import { z } from 'zod'
import { FORBIDDEN_KEYS } from './json.ts'
import type { JsonObject } from './json.ts'

/** The kinds of fields that a question can have. Secrets are not asked for. */
export const QUESTION_FIELD_KINDS = ['text', 'number', 'choice', 'boolean', 'date'] as const
/** Who may answer: whoever may run the campaign, or of those who see it the named people, or holders of named roles. */
export const QUESTION_WHO = ['runners', 'people', 'roles'] as const
/** How a long wait ends: its time has come, somebody has answered, or nobody has in time. */
export const HOLD_ENDINGS = ['due', 'answered', 'timed_out'] as const
/** The longest that a question stays open, and a run is held: thirty days. */
export const LONGEST_HOLD_SECONDS = 30 * 86_400

const name = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/)
  .refine((text) => !FORBIDDEN_KEYS.has(text), 'reserved')

/** A field of a question's form. */
export const questionFieldSchema = z.strictObject({
  name,
  label: z.string().max(500),
  kind: z.enum(QUESTION_FIELD_KINDS),
  required: z.boolean(),
  /** Of a choice. */
  options: z.array(z.string().min(1).max(500)).max(200),
})
export type QuestionField = z.infer<typeof questionFieldSchema>

/** What a person is asked. */
export const questionSchema = z.strictObject({
  title: z.string().min(1).max(500),
  text: z.string().max(20_000),
  fields: z.array(questionFieldSchema).max(20),
  who: z.enum(QUESTION_WHO),
  /** User names or names of roles. */
  names: z.array(z.string().min(1).max(200)).max(50),
})
export type Question = z.infer<typeof questionSchema>

const MAX_ANSWER = 10_000

function answerOf({ kind, options }: QuestionField): z.ZodType {
  switch (kind) {
    case 'number':
      return z.number()
    case 'boolean':
      return z.boolean()
    case 'date':
      return z.iso.date()
    case 'choice':
      return z.string().refine((chosen) => options.includes(chosen), 'choice')
    default:
      return z.string().trim().min(1).max(MAX_ANSWER)
  }
}

/** The schema of the answers to a question: each field by its name; those that are not required may be null. */
export function answersSchema(fields: readonly QuestionField[]) {
  return z.strictObject(
    Object.fromEntries(
      fields.map((field) => {
        const schema = answerOf(field)
        return [field.name, field.required ? schema : schema.nullable().default(null)]
      }),
    ),
  )
}

/** Answers as plain JSON, with null where one was left out. */
export function emptyAnswers(fields: readonly QuestionField[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field.name, null]))
}

/** The options of a choice as an author writes them: one a line. */
export function optionsOf(lines: string): string[] {
  const all = lines.split('\n').map((line) => line.trim())
  return [...new Set(all.filter((line) => line !== ''))]
}
