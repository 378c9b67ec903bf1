import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkflowDocument } from '@weft/workflow/document'
import { parseDocument } from '@weft/workflow/document'
import { joinOnce } from '../../src/connection/join.ts'
import { beginInstance } from '../../src/connection/session.ts'
import { createLogger } from '../../src/log.ts'
import { findBrowsers } from '../../src/machine/browsers.ts'
import { fingerprint } from '../../src/machine/state.ts'
import { loadPolicy } from '../../src/supervisor/policy.ts'
import { Supervisor, type SupervisorOptions } from '../../src/supervisor/supervisor.ts'
import type { FakeServer } from './server.ts'

const PROGRAM = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const LEVEL = process.env['WEFT_TEST_LOG'] === '1' ? 'debug' : 'silent'

/** A folder that is gone after the test file. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'weft-agent-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }) }
}

/** An agent whose supervisor lives in this process; its executors are real ones. */
export async function startAgent(
  server: FakeServer,
  dataDir: string,
  changes: Partial<SupervisorOptions> = {},
): Promise<Supervisor> {
  const logger = createLogger(LEVEL)
  const browsers = await findBrowsers()
  const identity = await joinOnce({
    dataDir,
    server: server.url,
    joinCode: server.state.joinCode(),
    name: 'test',
    slots: server.state.slots,
    labels: [],
    browsers,
    logger,
    signal: new AbortController().signal,
  })
  const supervisor = new Supervisor({
    identity,
    instance: await beginInstance(dataDir),
    machineId: await fingerprint(dataDir),
    dataDir,
    slots: server.state.slots,
    browsers,
    policy: await loadPolicy(dataDir),
    logger,
    ...changes,
  })
  await supervisor.start()
  return supervisor
}

/** Stops an agent of this process. */
export async function stopAgent(supervisor: Supervisor): Promise<void> {
  supervisor.stop('drain')
  supervisor.stop('cancel')
  supervisor.stop('now')
  await supervisor.ended
}

/** The whole program as a process of its own. */
export interface SpawnedAgent {
  child: ChildProcess
  output: () => string
  exit: Promise<number | null>
}

/** Starts the program as a keeper would. */
export function spawnAgent(server: FakeServer, dataDir: string, args: string[] = []): SpawnedAgent {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', PROGRAM, '--server', server.url, '--data', dataDir, ...args],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, WEFT_LOG_LEVEL: 'info' } },
  )
  let text = ''
  const collect = (chunk: Buffer) => {
    text += chunk.toString()
    if (LEVEL === 'debug') process.stdout.write(chunk)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exit = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  return { child, output: () => text, exit }
}

/** A workflow of steps one after another. */
export function chain(
  steps: { id: string; type: string; state: Record<string, unknown>; [field: string]: unknown }[],
  changes: Record<string, unknown> = {},
): WorkflowDocument {
  const parsed = parseDocument({
    schemaVersion: 1,
    inputs: [],
    variables: [],
    start: steps[0]?.id ?? null,
    activities: steps,
    connections: steps.slice(1).map(({ id }, index) => ({ from: steps[index]?.id, outcome: 'done', to: id })),
    settings: { timeLimitSeconds: 60, maxAttempts: 1, traceOn: 'never' },
    ...changes,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}
