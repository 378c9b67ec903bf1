import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process'
import { constants } from 'node:fs'
import { access, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StartError } from '../../settings.ts'

/** Whom Postgres runs as. It refuses root, so root's server runs it as another user of the machine. */
export interface RunAs {
  uid: number
  gid: number
  /** Root may go into every folder; the other user may not, and is given that one right. */
  needsPassage: boolean
}

const SETPRIV = '/usr/bin/setpriv'

/**
 * The user for Postgres: nobody special unless this is root; then `postgres` where the machine has that user, else
 * `nobody`.
 */
export async function chooseUser(paths: readonly string[]): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user) throw new StartError('Postgres cannot run as root, and there is no user postgres or nobody.')
  const [uid, gid] = [Number(user[2]), Number(user[3])]
  const closed = await firstClosed(paths, uid, gid)
  if (closed !== undefined && !(await isExecutable(SETPRIV)))
    throw new StartError(
      `The user ${user[0]} cannot enter ${closed}: set WEFT_DATA_DIR to another folder, or do not run as root.`,
    )
  return { uid, gid, needsPassage: closed !== undefined }
}

/** The first folder above any of the paths that the user cannot enter. */
async function firstClosed(paths: readonly string[], uid: number, gid: number): Promise<string | undefined> {
  for (const path of paths) {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      const found = await stat(at)
      const bit = found.uid === uid ? 0o100 : found.gid === gid ? 0o010 : 0o001
      if ((found.mode & bit) === 0) return at
    }
  }
  return undefined
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts a program as that user, in a session of its own so that a signal to the server's terminal does not reach it. */
export function spawnAs(
  user: RunAs | undefined,
  program: string,
  args: readonly string[],
  stdio: StdioOptions,
): ChildProcess {
  // Nothing of the server's environment is of use there, its secrets least of all.
  const options = { detached: true, stdio, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } }
  if (user?.needsPassage) {
    const rights = '+dac_override,+dac_read_search'
    const as = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
    return spawn(
      SETPRIV,
      [...as, `--inh-caps=${rights}`, `--ambient-caps=${rights}`, program, ...args],
      options,
    )
  }
  return spawn(program, args, { ...options, ...(user ? { uid: user.uid, gid: user.gid } : {}) })
}
