import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'

/** A running process, as far as this user may see it. */
export interface ProcessEntry {
  pid: number
  parent: number
  command: string
}

/** All processes; none where the system does not tell. */
export function listProcesses(): ProcessEntry[] {
  if (process.platform === 'linux') return listFromProc()
  if (process.platform === 'win32') return []
  try {
    const text = execFileSync('ps', ['-Ao', 'pid=,ppid=,command='], { encoding: 'utf8', timeout: 5000 })
    return text.split('\n').flatMap((line) => {
      const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)
      return match ? [{ pid: Number(match[1]), parent: Number(match[2]), command: match[3] ?? '' }] : []
    })
  } catch {
    // Without a list only the known processes can be ended.
    return []
  }
}

function listFromProc(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      // The name in brackets may hold anything, brackets too; the rest comes after the last one.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (fields[0] === 'Z') return []
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      return [{ pid: Number(name), parent: Number(fields[1]), command }]
    } catch {
      // It ended while we looked.
      return []
    }
  })
}

/** A process and everything below it, the deepest last. */
export function treeOf(root: number, all: readonly ProcessEntry[] = listProcesses()): number[] {
  const found = [root]
  for (const pid of found)
    found.push(
      ...all.filter((entry) => entry.parent === pid && !found.includes(entry.pid)).map((entry) => entry.pid),
    )
  return found
}

/** Ends a process and all its descendants at once: an executor's browser included. */
export function killTree(root: number): void {
  if (process.platform === 'win32') {
    try {
      execFileSync('taskkill', ['/pid', String(root), '/T', '/F'], { timeout: 10_000, stdio: 'ignore' })
    } catch {
      // Already gone.
    }
    return
  }
  for (const pid of treeOf(root)) kill(pid)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** Whether a process lives. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** When a process began, as an opaque text: tells it from a later one that got the same number. */
export function startMark(pid: number): string {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    }
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      timeout: 5000,
    }).trim()
  } catch {
    return ''
  }
}

/**
 * Ends what a dead supervisor left behind: executors and browsers whose command line names the data folder. Executors end
 * by themselves when their supervisor is gone; this is for those that could not.
 */
export function endOrphans(dataDir: string): number {
  const all = listProcesses()
  const mark = `${dataDir}/`
  const own = new Set([process.pid, process.ppid])
  const orphans = all.filter(
    ({ pid, command }) => !own.has(pid) && command.includes(mark) && /executor|user-data-dir/.test(command),
  )
  for (const { pid } of orphans) for (const member of treeOf(pid, all)) if (!own.has(member)) kill(member)
  return orphans.length
}
