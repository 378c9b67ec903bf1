import { sql } from 'drizzle-orm'
import type { RunLogMessage } from '@weft/contract/core/events'
import { logLineSchema, type LogLine } from '@weft/contract/runs/schema'
import type { Tx } from '../../db/connection.ts'
import { AppError } from '../../kit/app-error.ts'
import type { HeldRun } from './work.ts'

/** Where live lines go. */
export type LogSink = (message: RunLogMessage) => void

/**
 * Adds bytes to a run's log. They must begin where the stored ones end, or, sent twice, overlap them; a gap is refused
 * with the place to go on from. Beyond the cap bytes are counted as taken and dropped.
 */
export async function appendLog(
  tx: Tx,
  run: HeldRun,
  offset: number,
  bytes: Uint8Array,
  capBytes: number,
): Promise<{ size: number; message: (RunLogMessage & { lines: LogLine[] }) | null }> {
  if (offset > run.log_bytes) throw new AppError('agent.range', { from: run.log_bytes })
  const added = Buffer.from(bytes.subarray(run.log_bytes - offset))
  if (added.length === 0) return { size: run.log_bytes, message: null }
  const size = run.log_bytes + added.length
  const kept = added.subarray(0, Math.max(0, capBytes - run.log_bytes))
  if (kept.length > 0)
    await tx.execute(
      sql`insert into run_log (run_id, start, bytes) values (${run.id}, ${run.log_bytes}, ${kept})`,
    )
  await tx.execute(sql`update run set log_bytes = ${size} where id = ${run.id}`)
  return { size, message: { runId: run.id, campaignId: run.campaign_id, lines: wholeLines(added) } }
}

/** The whole lines in some bytes of a log; a torn first or last line is left to the stored log. */
export function wholeLines(bytes: Buffer): LogLine[] {
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const parsed = logLineSchema.safeParse(parseLine(line))
      return parsed.success ? [parsed.data] : []
    })
}

function parseLine(line: string): unknown {
  if (!line.startsWith('{')) return null
  try {
    return JSON.parse(line)
  } catch {
    // A line that was cut by the chunk's edge.
    return null
  }
}
