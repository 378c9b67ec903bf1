import { readFileSync } from 'node:fs'

/** What a process has taken so far. */
export interface Usage {
  rssBytes: number
  /** Time that its main thread has worked, in steps of ten milliseconds. */
  cpuMs: number
}

const PAGE_BYTES = 4096
const TICK_MS = 10

/** What a process takes, where the system tells (Linux); undefined elsewhere and when it has gone. */
export function usageOf(pid: number): Usage | undefined {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1])
    // The second field, the program's name, is in brackets and may hold spaces.
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    return { rssBytes: pages * PAGE_BYTES, cpuMs: ticks * TICK_MS }
  } catch {
    return undefined
  }
}
