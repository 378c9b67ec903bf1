import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentParams } from '@weft/contract/agents/sessions'
import type { AgentApi } from '../connection/api.ts'
import { describeError, type Logger } from '../log.ts'
import type { HeldRun } from './held-run.ts'
import { RunJournal } from './journal.ts'
import { LogUpload } from './log-upload.ts'
import type { Reporter } from './reporter.ts'
import { closeSteps, lostBody, type Settling } from './settling.ts'

const LOST = 'The agent ended in the middle of the run.'

export interface RecoveryOptions {
  runsDir: string
  api: AgentApi
  params: () => AgentParams
  logger: Logger
  reporter: Reporter
  settling: Settling
}

/**
 * Takes up what an earlier life of the program left on disk: ends that were not delivered are delivered; runs whose
 * executor died with the program end as lost, at once, with everything that is known of them. It returns when all of that
 * is under way.
 */
export async function recover(options: RecoveryOptions): Promise<number> {
  const { runsDir, logger } = options
  let count = 0
  for (const name of readdirSync(runsDir)) {
    const folder = join(runsDir, name)
    try {
      const journal = RunJournal.reopen(folder)
      if (!journal) rmSync(folder, { recursive: true, force: true })
      else {
        count += 1
        await takeUp(journal, options)
      }
    } catch (error) {
      logger.error('What an earlier run left cannot be read.', { folder, error: describeError(error) })
    }
  }
  if (count > 0) logger.info('Runs of an earlier start are being delivered.', { count })
  return count
}

async function takeUp(journal: RunJournal, options: RecoveryOptions): Promise<void> {
  const { api, params, logger, reporter, settling } = options
  const { runId, leaseToken } = journal.holder
  if (!journal.starting && !journal.finish) {
    // Claimed, not begun: nothing has happened, so it is simply given back.
    await api.reject({ runs: [{ runId, leaseToken, reason: 'agent.restarted' }] })
    await journal.remove()
    return
  }
  const log = new LogUpload({ journal, api, params, logger })
  const run: Pick<HeldRun, 'journal' | 'log' | 'uploads' | 'uploading'> = {
    journal,
    log,
    uploads: new AbortController(),
    uploading: Promise.resolve(),
  }
  const ended = journal.finish !== undefined
  const body = lostBody(journal, 'AgentLost', LOST)
  if (!ended) closeSteps(journal, 'AgentLost', LOST)
  reporter.add(journal)
  for (const file of journal.pendingFiles) settling.queueFile(run, file)
  const delivered = ended ? settling.deliver(run) : settling.settle(run, body)
  delivered.catch((error: unknown) =>
    logger.error('A run of an earlier start is not settled.', { run: runId, error: describeError(error) }),
  )
}
