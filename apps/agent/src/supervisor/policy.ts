import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { activityTypes, isActivityType } from '@weft/workflow/catalogue/catalogue'
import type { WorkflowDocument } from '@weft/workflow/document'
import { z } from 'zod'
import { AgentExit, EXIT } from '../exit-codes.ts'

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^(\*\.)?[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/)

const policySchema = z.strictObject({
  /** Only these kinds of steps run here. */
  steps: z.array(z.enum(activityTypes)).optional(),
  /** Only these hosts are reached from here, whatever a job allows. */
  domains: z.array(domain).optional(),
  /** Only these workflows run here. */
  workflows: z.array(z.uuid()).optional(),
  /** Whether people may have a browser of this machine in hand, to sign in; they may unless this says no. */
  attended: z.boolean().optional(),
})
/** What the owner of this machine allows; it can only be less than what the server allows. */
export type Policy = z.infer<typeof policySchema>

/** Reads `policy.json`; without one everything that the server allows is allowed. A broken one stops the start. */
export async function loadPolicy(dataDir: string): Promise<Policy> {
  const path = join(dataDir, 'policy.json')
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
  try {
    return policySchema.parse(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new AgentExit(EXIT.settings, `${path} cannot be used: ${reason}`)
  }
}

/** Why a job may not run here, or null where it may. */
export function objection(policy: Policy, workflowId: string, document: WorkflowDocument): string | null {
  if (policy.workflows && !policy.workflows.includes(workflowId)) return 'policy.workflow'
  for (const { type, disabled } of document.activities) {
    if (disabled) continue
    if (!isActivityType(type)) return `agent.unknown_step: ${type}`
    if (policy.steps && !policy.steps.includes(type)) return `policy.step: ${type}`
  }
  return null
}
