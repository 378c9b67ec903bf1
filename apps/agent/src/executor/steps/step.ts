import type { Locator } from 'playwright-core'
import type { Job } from '@weft/contract/agents/jobs'
import type { ActivityOutput, ResolvedInput } from '@weft/workflow/catalogue/catalogue'
import type { IoActivityType, StepContext } from '@weft/workflow/interpret'
import type { DomainLimits } from '../browser/domains.ts'
import type { Gate } from '../browser/gate.ts'
import type { BrowserSession } from '../browser/session.ts'
import type { RunFiles } from '../files.ts'
import type { Masker } from '../mask.ts'
import type { Secrets } from '../secrets.ts'
import type { StepTime } from '../step-time.ts'

/** What the steps of one run work with. */
export interface RunTools {
  job: Job
  session: BrowserSession
  gate: Gate
  limits: DomainLimits
  secrets: Secrets
  masker: Masker
  files: RunFiles
  /** Fields that were filled with secrets: no picture shows them. */
  secretFields: Locator[]
  /** Keeps the profile as it is now. */
  saveProfile: () => Promise<boolean>
  /** The site refused the account. */
  rejectAccount: () => void
}

/** Does one activity: its input, where it stands, how much time it has. */
export type Step<T extends IoActivityType> = (
  tools: RunTools,
  input: ResolvedInput<T>,
  at: { context: StepContext; time: StepTime },
) => Promise<ActivityOutput<T>>
