import { z } from 'zod'
import type { Release } from '@weft/contract/workflows/schema'

/** What a release asks for: as the workflow declares it. */
export const inputSchema = z.object({
  name: z.string(),
  type: z.string(),
  label: z.string().optional(),
  help: z.string().optional(),
  required: z.boolean().default(false),
  secret: z.boolean().default(false),
  default: z.unknown(),
})
export type ReleaseInput = z.infer<typeof inputSchema>

/** The inputs of a release; one that cannot be read is left out, for the server checks all at the start. */
export function inputsOf(release: Pick<Release, 'inputs'> | undefined): ReleaseInput[] {
  return (release?.inputs ?? []).flatMap((raw) => {
    const parsed = inputSchema.safeParse(raw)
    return parsed.success ? [parsed.data] : []
  })
}

/** A default as the placeholder of its field; undefined where there is none to show. */
export function defaultText(input: ReleaseInput): string | undefined {
  const { default: value } = input
  if (value === undefined || value === null || value === '' || input.secret) return undefined
  if (Array.isArray(value)) return value.map((part) => asText(part)).join(', ')
  return asText(value)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The values that no input of the release takes, such as those of another workflow chosen before. */
export function leftOver(values: unknown, inputs: readonly ReleaseInput[]): string[] {
  if (values === null || typeof values !== 'object') return []
  return Object.keys(values).filter((name) => !inputs.some((input) => input.name === name))
}
