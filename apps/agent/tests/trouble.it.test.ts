import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listProcesses, treeOf } from '../src/supervisor/process-tree.ts'
import type { Supervisor } from '../src/supervisor/supervisor.ts'
import { chain, startAgent, stopAgent, temporaryFolder } from './support/agent.ts'
import { FakeServer, until } from './support/server.ts'
import type { FakeRun } from './support/state.ts'

/** A page that never answers, one that answers when it is let, others that answer, and what was asked for. */
async function startSite() {
  const asked: string[] = []
  const gate = Promise.withResolvers<void>()
  const server: Server = createServer(async (request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/hang') return
    if (request.url === '/gated') await gate.promise
    response.setHeader('content-type', 'text/html')
    response.end(
      '<title>Here</title><h1>Here</h1><button data-testid="go" onclick="fetch(\'/pressed\')">Go</button>',
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, asked, open: () => gate.resolve(), stop }
}

describe('an agent in trouble', () => {
  const server = new FakeServer()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let site: Awaited<ReturnType<typeof startSite>>
  let agent: Supervisor
  let dataDir: string
  let diskFreeMb = 50_000

  beforeAll(async () => {
    folder = await temporaryFolder()
    dataDir = join(folder.path, 'agent')
    site = await startSite()
    Object.assign(server.state.params, {
      leaseSeconds: 5,
      renewSeconds: 1,
      cancelGraceSeconds: 2,
      cleanupSeconds: 1,
      heartbeatSeconds: 0.5,
    })
    await server.start()
    agent = await startAgent(server, dataDir, {
      look: async () => ({ cpu: 1, memMb: 1, diskFreeMb, localIp: null }),
    })
  })
  afterAll(async () => {
    await stopAgent(agent)
    await site.stop()
    await server.stop()
    await folder.remove()
    expect(server.malformed).toEqual([])
  })
  beforeEach(() => {
    server.cut = false
    server.state.streamOffers = true
  })
  // Whatever became of a test, the next finds the server and the disk as they were.
  afterEach(() => {
    server.state.busy.clear()
    diskFreeMb = 50_000
  })

  const page = (path: string) => ({
    id: 'page',
    type: 'open-page',
    retry: { attempts: 1, delaySeconds: 0 },
    state: { url: `${site.url}${path}` },
  })
  const hanging = () => chain([page('/hang')])
  const waiting = (seconds: number) =>
    chain([
      { id: 'wait', type: 'delay', state: { seconds } },
      { id: 'end', type: 'finish', state: {} },
    ])
  const running = (run: FakeRun) =>
    until('it runs', () => run.phase === 'running' && run.events.some(({ type }) => type === 'stepStarted'))
  const ended = (run: FakeRun) => until('it is finished', () => run.finish)
  const executors = () =>
    listProcesses().filter(
      ({ command }) => command.includes('executor/main.ts') && command.includes(`${dataDir}/`),
    )
  const browsers = () =>
    listProcesses().filter(({ command }) => command.includes(`--user-data-dir=${dataDir}/`))

  it.each(['stream', 'answers'] as const)('cancels by %s, within the grace time', async (by) => {
    const run = server.state.offer(hanging())
    await running(run)
    const began = Date.now()
    server.state.cancel(run, 'graceful', by)
    expect((await ended(run)).result).toBe('cancelled')
    expect(Date.now() - began).toBeLessThan(15_000)
    const finished = run.events.find(({ type }) => type === 'stepFinished')
    expect(finished).toMatchObject({ state: 'cancelled' })
  })

  it('cancels by the answer to a renewal', async () => {
    const run = server.state.offer(hanging())
    await running(run)
    server.state.params = { ...server.state.params, heartbeatSeconds: 30 }
    for (const id of server.state.clients.keys())
      server.state.push(id, { type: 'params', params: server.state.params })
    server.state.cancel(run, 'graceful', 'answers')
    expect((await ended(run)).result).toBe('cancelled')
    server.state.params = { ...server.state.params, heartbeatSeconds: 0.5 }
    for (const id of server.state.clients.keys())
      server.state.push(id, { type: 'params', params: server.state.params })
  })

  it('tidies up when it is cancelled, but does nothing irreversible any more', async () => {
    const step = (id: string, type: string, state: Record<string, unknown>) => ({ id, type, state })
    const document = chain([step('guard', 'try-catch', {})], {
      activities: [
        step('guard', 'try-catch', {}),
        step('hang', 'delay', { seconds: 60 }),
        step('tidy', 'log', { message: 'tidied' }),
      ],
      connections: [
        { from: 'guard', outcome: 'try', to: 'hang' },
        { from: 'guard', outcome: 'finally', to: 'tidy' },
      ],
    })
    const run = server.state.offer(document)
    await until('it waits', () => run.events.some(({ stepId }) => stepId === 'hang'))
    server.state.cancel(run)
    expect((await ended(run)).result).toBe('cancelled')
    expect(server.state.logOf(run).map(({ text }) => text)).toContain('tidied')
  })

  it('lets files go that are still being uploaded a while after a cancellation', async () => {
    const run = server.state.offer(
      chain([
        page('/'),
        { id: 'shot', type: 'screenshot', state: {} },
        { id: 'hang', type: 'delay', state: { seconds: 60 } },
      ]),
    )
    server.state.busy.add('upload')
    await until('it waits', () => run.events.some(({ stepId }) => stepId === 'hang'))
    const began = Date.now()
    server.state.cancel(run)
    expect((await ended(run)).result).toBe('cancelled')
    server.state.busy.delete('upload')
    expect(Date.now() - began).toBeLessThan(20_000)
    expect(run.events.map(({ type }) => type)).toContain('notice')
    expect(run.events.map(({ type }) => type)).not.toContain('file')
  })

  it('ends the processes of an executor that does not obey, and renews its lease meanwhile', async () => {
    const run = server.state.offer(hanging())
    await running(run)
    const [victim] = executors().filter(({ pid }) => treeOf(pid).length > 2)
    if (!victim) throw new Error('There is no executor.')
    process.kill(victim.pid, 'SIGSTOP')
    const renewals = run.renewals
    await until('it is renewed still', () => run.renewals > renewals + 1)
    server.state.cancel(run)
    const end = await ended(run)
    expect(end).toMatchObject({ result: 'cancelled', error: { class: 'Killed' } })
    expect(listProcesses().some(({ pid }) => pid === victim.pid)).toBe(false)
    const next = server.state.offer(waiting(0))
    expect((await ended(next)).result).toBe('succeeded')
  })

  it('gives a crashed browser a failure of its own, and the next run a new browser', async () => {
    const run = server.state.offer(
      chain([
        page('/'),
        { id: 'look', type: 'extract', state: { targets: [{ by: 'css', selector: '#never' }] } },
      ]),
    )
    await until('it looks', () => run.events.some(({ stepId }) => stepId === 'look'))
    for (const { pid } of browsers()) process.kill(pid, 'SIGKILL')
    expect((await ended(run)).error).toMatchObject({ class: 'BrowserCrashed', stepId: 'look' })
    const next = server.state.offer(chain([page('/')]))
    expect((await ended(next)).result).toBe('succeeded')
  })

  it('goes on while the server restarts, and nothing happens twice', async () => {
    const run = server.state.offer(waiting(2))
    await running(run)
    await server.stop()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    await server.start()
    expect((await ended(run)).result).toBe('succeeded')
    expect([run.claims, run.starts]).toEqual([1, 1])
    expect(run.events.map(({ seq }) => seq)).toEqual(run.events.map((_, index) => index + 1))
  })

  it('sits out a cut that is shorter than the lease', async () => {
    const run = server.state.offer(waiting(3))
    await running(run)
    server.cut = true
    await new Promise((resolve) => setTimeout(resolve, 1500))
    server.cut = false
    expect((await ended(run)).result).toBe('succeeded')
  })

  it('stops before its lease is over when the cut is longer, and says so when it can', async () => {
    const run = server.state.offer(chain([page('/'), { id: 'hang', type: 'delay', state: { seconds: 60 } }]))
    await until('it waits', () => run.events.some(({ stepId }) => stepId === 'hang'))
    server.cut = true
    const leaseEndsAt = run.leaseEndsAt
    await until(
      'nothing runs',
      () => executors().every(({ pid }) => treeOf(pid).length <= 3) || Date.now() > leaseEndsAt,
      10,
    )
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, leaseEndsAt - Date.now())))
    server.cut = false
    const end = await ended(run)
    expect(end).toMatchObject({ result: 'lost' })
    const stopped = run.events.find(({ type, stepId }) => type === 'stepFinished' && stepId === 'hang')
    expect(Date.parse(stopped?.at ?? '')).toBeLessThan(leaseEndsAt)
  })

  it('stops at once when the server gave its run away', async () => {
    const run = server.state.offer(hanging())
    await running(run)
    run.leaseToken = 'somebody else has it'
    await until('it has stopped', () =>
      server.state.heartbeats.at(-1)?.slots.every(({ runId }) => runId === null),
    )
    expect(run.finish).toBeNull()
  })

  it('announces an irreversible step and acts only when the server knows', async () => {
    const document = chain([
      page('/gated'),
      {
        id: 'press',
        type: 'click',
        state: { targets: [{ by: 'testId', id: 'go' }], sideEffect: 'irreversible' },
      },
    ])
    const run = server.state.offer(document)
    await until('the page is asked for', () => site.asked.includes('/gated'))
    server.state.busy.add('report')
    const before = server.counts.get('report') ?? 0
    site.open()
    await until('the intent waits', () => (server.counts.get('report') ?? 0) > before)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(site.asked).not.toContain('/pressed')
    server.state.busy.delete('report')
    expect((await ended(run)).result).toBe('succeeded')
    await until('the button was pressed', () => site.asked.includes('/pressed'))
    const types = run.events.filter(({ stepId }) => stepId === 'press').map(({ type }) => type)
    expect(types).toEqual(['stepStarted', 'intent', 'confirm', 'stepFinished'])
  })

  it('takes no offers while the disk is full, says why, and keeps what it has', async () => {
    const run = server.state.offer(waiting(2))
    await running(run)
    diskFreeMb = 10
    await until('it says so', () => server.state.heartbeats.at(-1)?.refusing === 'disk_full')
    expect(server.state.heartbeats.at(-1)?.freeSlots).toBe(0)
    const other = server.state.offer(waiting(0))
    expect((await ended(run)).result).toBe('succeeded')
    expect(other.claims).toBe(0)
    diskFreeMb = 50_000
    expect((await ended(other)).result).toBe('succeeded')
  })
})
