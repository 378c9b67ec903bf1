import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../apps/server/src/testing/free-port.ts'
import { until } from './weft.ts'

const PROGRAM = join(import.meta.dirname, '../outside-app/node_modules/node-red/red.js')

/** Who may sign in to it. */
export const AUTHOR = { username: 'author', password: 'red-secret-1' }
/** The bcrypt hash of the password. */
const HASH = '$2b$04$8uBSCQ3vMTJUlUZW/yMlcOjYa1nbQyfcWdad/N7ckrGCYKRTODj5y'

/** A Node-RED with an empty folder of its own. */
export interface OutsideApp {
  url: string
  /** The labels of its flows, as it keeps them, in their order. */
  flows: () => string[]
  stop: () => Promise<void>
}

/** Starts Node-RED as anybody has it, with a sign-in and without anything that calls home. */
export async function startOutsideApp(): Promise<OutsideApp> {
  const folder = mkdtempSync(join(tmpdir(), 'weft-outside-'))
  const port = await freePort()
  const settings = {
    uiHost: '127.0.0.1',
    uiPort: port,
    flowFile: 'flows.json',
    credentialSecret: 'of the test',
    adminAuth: {
      type: 'credentials',
      users: [{ username: AUTHOR.username, password: HASH, permissions: '*' }],
    },
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false },
    externalModules: { palette: { allowInstall: false } },
    logging: { console: { level: 'warn' } },
  }
  const file = join(folder, 'settings.cjs')
  writeFileSync(file, `module.exports = ${JSON.stringify(settings)}`)
  const child = spawn(process.execPath, [PROGRAM, '--userDir', folder, '--settings', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  const url = `http://127.0.0.1:${port}/`
  await until('Node-RED', async () => {
    if (child.exitCode !== null) throw new Error('Node-RED ended')
    return (await fetch(url).catch(() => null))?.ok
  })
  return {
    url,
    flows: () =>
      z
        .array(z.object({ type: z.string(), label: z.string().optional() }))
        .parse(JSON.parse(readFileSync(join(folder, 'flows.json'), 'utf8')))
        .flatMap(({ type, label }) => (type === 'tab' && label !== undefined ? [label] : [])),
    stop: async () => {
      child.kill('SIGTERM')
      await closed
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
