import { globSync, readFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { EXIT } from '../src/exit-codes.ts'
import { listProcesses } from '../src/supervisor/process-tree.ts'
import { chain, spawnAgent, temporaryFolder, type SpawnedAgent } from './support/agent.ts'
import { FakeServer, until } from './support/server.ts'
import type { FakeRun } from './support/state.ts'

describe('the agent program', () => {
  let server: FakeServer
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let dataDir: string
  const started: SpawnedAgent[] = []
  let site: Server
  let siteUrl: string

  beforeAll(async () => {
    // Pages whose answer to a press never comes.
    site = createServer((request, response) => {
      if (request.url === '/never') return
      response.setHeader('content-type', 'text/html')
      response.end('<h1>Here</h1><a href="/never" data-testid="go">Go</a>')
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const address = site.address()
    siteUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
  })
  afterAll(async () => {
    site.closeAllConnections()
    await new Promise((resolve) => site.close(resolve))
  })
  beforeEach(async () => {
    server = new FakeServer()
    Object.assign(server.state.params, {
      leaseSeconds: 10,
      renewSeconds: 1,
      heartbeatSeconds: 0.3,
      cancelGraceSeconds: 2,
      cleanupSeconds: 1,
    })
    await server.start()
    folder = await temporaryFolder()
    dataDir = join(folder.path, 'agent')
  })
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.splice(0).map(({ exit }) => exit))
    await until('all its processes are gone', () => leftOvers().length === 0)
    await server.stop()
    await folder.remove()
    expect(server.malformed).toEqual([])
  })

  const start = (args: string[] = ['--join', server.state.joinCode()], data = dataDir) => {
    const agent = spawnAgent(server, data, args)
    started.push(agent)
    return agent
  }
  const connected = (agent: SpawnedAgent) =>
    until('it is connected', () => agent.output().includes('Connected.'))
  const waiting = (seconds: number) => chain([{ id: 'wait', type: 'delay', state: { seconds } }])
  const running = (run: FakeRun) =>
    until('it runs', () => run.phase === 'running' && run.events.some(({ type }) => type === 'stepStarted'))
  const journals = () =>
    globSync(join(dataDir, '**/journal.ndjson'))
      .map((path) => readFileSync(path, 'utf8'))
      .join('')
  const leftOvers = () => listProcesses().filter(({ command }) => command.includes(`${folder.path}/`))

  it('ends runs as lost at once when it is started again after kill -9, with all that is known of them', async () => {
    const agent = start()
    await connected(agent)
    const document = chain([
      { id: 'page', type: 'open-page', state: { url: siteUrl } },
      {
        id: 'press',
        type: 'click',
        timeLimitSeconds: 60,
        state: {
          targets: [{ by: 'testId', id: 'go' }],
          waitForNavigation: true,
          sideEffect: 'irreversible',
        },
      },
    ])
    const run = server.state.offer(document)
    await until('the step was announced', () => run.events.some(({ type }) => type === 'intent'))
    await until('a browser is open', () =>
      leftOvers().some(({ command }) => command.includes('--user-data-dir')),
    )
    agent.child.kill('SIGKILL')
    await agent.exit
    await until('executors and browsers end by themselves', () => leftOvers().length === 0)
    const again = start([])
    await until('it is reported', () => run.finish)
    expect(run.finish).toMatchObject({ result: 'lost', error: { class: 'AgentLost', stepId: 'press' } })
    expect(run.events.some(({ type }) => type === 'confirm')).toBe(false)
    expect(run.starts).toBe(1)
    const next = server.state.offer(waiting(0))
    await until('it takes work again', () => next.finish)
    again.child.kill('SIGTERM')
    expect(await again.exit).toBe(EXIT.ok)
  })

  it('delivers after a restart what it could not deliver before', async () => {
    const agent = start()
    await connected(agent)
    const run = server.state.offer(
      chain([
        { id: 'wait', type: 'delay', state: { seconds: 1 } },
        { id: 'say', type: 'log', state: { message: 'done all the same' } },
        { id: 'end', type: 'finish', state: { outputs: [{ name: 'x', value: '1' }] } },
      ]),
    )
    await running(run)
    server.cut = true
    await until('it has noted the end', () => journals().includes('"k":"finish"'))
    agent.child.kill('SIGKILL')
    await agent.exit
    server.cut = false
    start([])
    await until('it is delivered', () => run.finish)
    expect(run.finish).toMatchObject({ result: 'succeeded', outputs: { x: '1' } })
    expect(server.state.logOf(run).map(({ text }) => text)).toEqual([
      '“wait” begins.',
      '“say” begins.',
      'done all the same',
      '“end” begins.',
    ])
  })

  it('drains at the first signal: finishes what runs, takes nothing new, and tells the server first', async () => {
    server.state.skewSeconds = 3600
    const agent = start()
    await connected(agent)
    expect(agent.output()).toContain('disagree about the time')
    const run = server.state.offer(waiting(2))
    await running(run)
    agent.child.kill('SIGTERM')
    await until('the server was told', () => server.state.heartbeats.at(-1)?.state === 'draining')
    const other = server.state.offer(waiting(0))
    expect(await agent.exit).toBe(EXIT.ok)
    expect(run.finish?.result).toBe('succeeded')
    expect(other.claims).toBe(0)
  })

  it('stops in order at the second signal, and its runs may be tried elsewhere', async () => {
    const agent = start()
    await connected(agent)
    const run = server.state.offer(waiting(60))
    await running(run)
    agent.child.kill('SIGINT')
    await until('the server was told', () => server.state.heartbeats.at(-1)?.state === 'draining')
    agent.child.kill('SIGINT')
    expect(await agent.exit).toBe(EXIT.ok)
    expect(server.state.heartbeats.at(-1)?.state).toBe('stopping')
    expect(run.finish?.result).toBe('lost')
  })

  it('ends at once at QUIT', async () => {
    const agent = start()
    await connected(agent)
    const run = server.state.offer(
      chain([{ id: 'page', type: 'open-page', state: { url: `${siteUrl}/never` } }]),
    )
    await running(run)
    const began = Date.now()
    agent.child.kill('SIGQUIT')
    expect(await agent.exit).toBe(EXIT.ok)
    expect(Date.now() - began).toBeLessThan(20_000)
    expect(run.finish?.result).toBe('lost')
  })

  it('refuses a second agent in one data folder, and a copy of it elsewhere', async () => {
    const agent = start()
    await connected(agent)
    const second = start([])
    expect(await second.exit).toBe(EXIT.conflict)
    expect(second.output()).toContain('Another agent')
    const copy = join(folder.path, 'copy')
    await cp(dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('agent.pid') })
    const clone = start([], copy)
    expect(await clone.exit).toBe(EXIT.conflict)
    expect(clone.output()).toContain('Another agent is connected with this identity')
  })

  it('says what is wrong and leaves with a code of its own', async () => {
    const wrongCode = start(['--join', 'nonsense'], join(folder.path, 'a'))
    const noCode = start([], join(folder.path, 'b'))
    const wrongSetting = start(['--slots', 'many'], join(folder.path, 'c'))
    expect(await wrongCode.exit).toBe(EXIT.refused)
    expect(wrongCode.output()).toContain('join code')
    expect(await noCode.exit).toBe(EXIT.settings)
    expect(await wrongSetting.exit).toBe(EXIT.settings)
    expect(wrongSetting.output()).toContain('--slots')
    server.state.updateOnly = true
    const old = start()
    expect(await old.exit).toBe(EXIT.updateNeeded)
    expect(old.output()).toContain('below the server')
    server.state.updateOnly = false
    server.state.revoked = true
    const revoked = start([])
    expect(await revoked.exit).toBe(EXIT.refused)
    expect(revoked.output()).toContain('client.revoked')
  })
})
