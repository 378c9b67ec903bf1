import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CallContext } from '../../kit/context.ts'
import { AppError } from '../../kit/app-error.ts'

const inputRow = z.object({
  inputs: z.array(
    z.looseObject({
      name: z.string(),
      type: z.string(),
      required: z.boolean().optional(),
      default: z.unknown().optional(),
    }),
  ),
})

const TYPES: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  secret: (value) => typeof value === 'string',
  file: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
}

/** Refuses a campaign's inputs that do not fit those its release asks for, naming each. */
export async function checkInputs(
  ctx: CallContext,
  workflowId: string,
  release: number,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  const result = await ctx.tx.execute(sql`
    select coalesce(document -> 'inputs', '[]') as inputs from workflow_release
    where workflow_id = ${workflowId} and number = ${release}`)
  const row = inputRow.safeParse(result.rows[0])
  if (!row.success) throw new AppError('campaign.no_release')
  const wrong = row.data.inputs.flatMap((input) => {
    const value = given[input.name] ?? input.default
    if (value === undefined || value === null || value === '')
      return input.required
        ? [{ path: `inputs.${input.name}`, code: 'required', message: 'This input is required.' }]
        : []
    const fits = TYPES[input.type]?.(value) ?? true
    return fits
      ? []
      : [{ path: `inputs.${input.name}`, code: 'wrong_type', message: `This input is a ${input.type}.` }]
  })
  const known = new Set(row.data.inputs.map((input) => input.name))
  for (const name of Object.keys(given))
    if (!known.has(name))
      wrong.push({ path: `inputs.${name}`, code: 'unknown', message: 'The release has no such input.' })
  if (wrong.length > 0) throw new AppError('campaign.bad_inputs', {}, { errors: wrong })
}
