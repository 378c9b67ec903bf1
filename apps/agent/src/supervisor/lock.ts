import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentExit, EXIT } from '../exit-codes.ts'
import { isAlive, startMark } from './process-tree.ts'

/** Holds a data folder for this process; the lock of a process that is gone is taken over. */
export function lockDataDir(dataDir: string): { release: () => void } {
  const path = join(dataDir, 'agent.pid')
  const own = `${process.pid} ${startMark(process.pid)}`
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    for (let tries = 0; ; tries += 1) {
      try {
        writeFileSync(path, own, { flag: 'wx', mode: 0o600 })
        return { release: () => rmSync(path, { force: true }) }
      } catch (error) {
        const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
        if (!exists || tries > 2) throw error
      }
      const [pid = '', ...mark] = readFileSync(path, 'utf8').split(' ')
      if (isAlive(Number(pid)) && startMark(Number(pid)) === mark.join(' '))
        throw new AgentExit(EXIT.conflict, `Another agent (process ${pid}) uses ${dataDir}.`)
      rmSync(path, { force: true })
    }
  } catch (error) {
    if (error instanceof AgentExit) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new AgentExit(EXIT.settings, `The data folder cannot be used: ${reason}`)
  }
}
