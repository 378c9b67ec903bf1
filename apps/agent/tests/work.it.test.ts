import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Supervisor } from '../src/supervisor/supervisor.ts'
import { chain, startAgent, stopAgent, temporaryFolder } from './support/agent.ts'
import { FakeServer, until } from './support/server.ts'

const say = (text: string) =>
  chain([
    { id: 'say', type: 'log', state: { message: text } },
    { id: 'end', type: 'finish', state: { outputs: [{ name: 'said', value: text }] } },
  ])

describe('an agent at work', () => {
  const server = new FakeServer()
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let agent: Supervisor

  beforeAll(async () => {
    folder = await temporaryFolder()
    await server.start()
    agent = await startAgent(server, folder.path)
  })
  afterAll(async () => {
    await stopAgent(agent)
    await server.stop()
    await folder.remove()
    expect(server.malformed).toEqual([])
  })

  it('takes an offer, does it, and reports events, log and end', async () => {
    const run = server.state.offer(say('{{ inputs.word ?? "good day" }}'))
    await until('the run is finished', () => run.finish)
    expect(run.finish).toMatchObject({ result: 'succeeded', error: null, outputs: { said: 'good day' } })
    expect(run.claims).toBe(1)
    expect(run.starts).toBe(1)
    expect(run.events.map(({ seq }) => seq)).toEqual(run.events.map((_, index) => index + 1))
    expect(run.events.map(({ type, stepId }) => `${type} ${stepId}`)).toEqual([
      'stepStarted say',
      'stepFinished say',
      'stepStarted end',
      'stepFinished end',
    ])
    expect(server.state.logOf(run)).toMatchObject([
      { level: 'info', text: '“say” begins.', stepId: 'say' },
      { level: 'info', text: 'good day', stepId: 'say' },
      { level: 'info', text: '“end” begins.', stepId: 'end' },
    ])
    expect(run.finish?.logBytes).toBe(run.log.length)
  })

  it('does a part of a test run with what it begins with, and tells what it leaves', async () => {
    const document = chain(
      [
        { id: 'ask', type: 'http-request', state: { method: 'GET', url: 'http://127.0.0.1:9/' } },
        { id: 'set', type: 'set-variable', state: { name: 'n', value: '{{ vars.n + steps.ask.status }}' } },
        { id: 'say', type: 'log', state: { message: '{{ vars.n }}' } },
      ],
      { variables: [{ name: 'n', type: 'number', default: 1 }] },
    )
    const startAt = JSON.stringify({ stepId: 'ask', path: [], vars: { n: 5 }, steps: { earlier: { a: 1 } } })
    const pins = { ask: { status: 200 } }
    const from = server.state.offer(document, {
      startAt,
      test: {
        part: { kind: 'from', activityId: 'ask' },
        pins,
        page: null,
        expectations: [
          'vars.n === 205',
          '{{ steps.ask.status > 200 }}',
          "result === 'succeeded'",
          'outputs.no.where',
          'inputs[',
          "project.site === 'a.example'",
        ],
      },
      project: { id: randomUUID(), name: 'Sites', variables: { site: 'b.example' } },
    })
    const one = server.state.offer(document, {
      startAt: startAt.replace('ask', 'set'),
      test: { part: { kind: 'step', activityId: 'set' }, pins, page: null, expectations: [] },
    })
    await until('both are finished', () => from.finish && one.finish)
    expect(from.finish).toMatchObject({
      result: 'succeeded',
      values: { vars: { n: 205 }, steps: { earlier: { a: 1 }, ask: { status: 200 }, set: { value: 205 } } },
    })
    const { checks } = z
      .object({
        checks: z.array(
          z.object({
            holds: z.boolean(),
            message: z.string().nullable(),
            found: z.string().nullable(),
            wanted: z.string().nullable(),
          }),
        ),
      })
      .parse(from.finish?.values)
    expect(
      checks.map(({ holds, message, found, wanted }) => [holds, message !== null, found, wanted]),
    ).toEqual([
      [true, false, '205', '205'],
      [false, false, '200', '> 200'],
      [true, false, '"succeeded"', '"succeeded"'],
      [false, true, null, null],
      [false, true, null, null],
      [false, false, '"b.example"', '"a.example"'],
    ])
    expect(
      from.events.flatMap((event) =>
        event.type === 'stepFinished' ? [`${event.stepId} ${event.state}`] : [],
      ),
    ).toEqual(['ask skipped', 'set succeeded', 'say succeeded'])
    // What is pinned and not passed is only there once the base has it: the server puts both together.
    expect(one.finish).toMatchObject({ result: 'failed', error: { stepId: 'set' } })
    expect(one.events.map(({ stepId }) => stepId)).toEqual(['set', 'set'])
  })

  it('claims and starts the offers of one moment in one call each', async () => {
    const before = { claim: server.counts.get('claim') ?? 0, start: server.counts.get('start') ?? 0 }
    const runs = [server.state.offer(say('one')), server.state.offer(say('two'))]
    await until('both are finished', () => runs.every(({ finish }) => finish))
    expect(server.counts.get('claim')).toBe(before.claim + 1)
    expect(server.counts.get('start')).toBe(before.start + 1)
  })

  it('takes offers from heartbeats when the stream brings none', async () => {
    server.state.streamOffers = false
    const run = server.state.offer(say('quietly'))
    await until('the run is finished', () => run.finish)
    server.state.streamOffers = true
    expect(run.finish?.result).toBe('succeeded')
  })

  it('takes no more than fits, and the rest when there is room', async () => {
    const slow = chain([{ id: 'wait', type: 'delay', state: { seconds: 1 } }])
    const runs = [slow, slow, slow].map((document) => server.state.offer(document))
    await until('two are running', () => runs.filter(({ phase }) => phase === 'running').length === 2)
    expect(runs.filter(({ phase }) => phase === 'offered')).toHaveLength(1)
    await until('all are finished', () => runs.every(({ finish }) => finish?.result === 'succeeded'))
    expect(runs.map(({ claims }) => claims)).toEqual([1, 1, 1])
  })

  it('works in all its slots, however close upon each other the offers come', async () => {
    server.state.params = { ...server.state.params, heartbeatSeconds: 60 }
    for (const id of server.state.clients.keys())
      server.state.push(id, { type: 'params', params: server.state.params })
    // They end when they are told to: however slow the machine, both are there at the same time. A longer wait would be held.
    const waits = chain([{ id: 'wait', type: 'delay', state: { seconds: 55 } }])
    for (let round = 0; round < 3; round += 1) {
      const first = server.state.offer(waits)
      await until('the first is claimed', () => first.claims > 0)
      const second = server.state.offer(waits)
      await until('both run', () => first.phase === 'running' && second.phase === 'running')
      const third = server.state.offer(waits)
      server.state.cancel(first)
      await until('the third follows as soon as there is room', () => third.phase === 'running')
      for (const run of [second, third]) server.state.cancel(run)
      await until('all are finished', () => first.finish && second.finish && third.finish)
    }
    server.state.params = { ...server.state.params, heartbeatSeconds: 1 }
    for (const id of server.state.clients.keys())
      server.state.push(id, { type: 'params', params: server.state.params })
  })

  it('gives a run back whose job is not signed by its server', async () => {
    const run = server.state.offer(say('forged'), { inputs: { a: 1 } })
    const sign = server.state.sign.bind(server.state)
    server.state.sign = () => Buffer.alloc(64).toString('base64')
    await until('it is given back', () => run.rejected)
    server.state.sign = sign
    expect(run.rejected).toBe('agent.wrong_signature')
    expect(run.starts).toBe(0)
  })

  it('gives a run back whose workflow is not the one that the job names', async () => {
    const document = say('honest')
    const run = server.state.offer(document)
    server.state.documents.set(run.job.workflow?.hash ?? '', say('other'))
    await until('it is given back', () => run.rejected)
    expect(run.rejected).toContain('agent.workflow')
  })

  it('survives lost answers: claims, starts, events and ends are sent again and count once', async () => {
    for (const call of ['claim', 'start', 'report', 'finish']) server.state.loseAnswers.set(call, 1)
    const run = server.state.offer(say('twice'))
    await until('the run is finished and settled', () => run.finishes >= 2)
    expect(run.finish?.result).toBe('succeeded')
    expect(run.events).toHaveLength(4)
    expect(run.claims).toBeGreaterThan(1)
  })

  it('asks for the rest of a log at the place that the server names', async () => {
    const said = (run: ReturnType<typeof server.state.offer>) =>
      server.state.logOf(run).flatMap(({ text }) => (text.endsWith('begins.') ? [] : [text]))
    const run = server.state.offer(say('a line'))
    await until('the line arrived', () => said(run).length > 0)
    const second = server.state.offer(
      chain([
        { id: 'first', type: 'log', state: { message: 'first' } },
        { id: 'wait', type: 'delay', state: { seconds: 0.6 } },
        { id: 'last', type: 'log', state: { message: 'last' } },
      ]),
    )
    await until('the first line arrived', () => said(second).length > 0)
    second.log = Buffer.alloc(0)
    await until('the run is finished', () => second.finish)
    expect(said(second)).toEqual(['first', 'last'])
  })

  it('calls other workflows within the run', async () => {
    const workflowId = randomUUID()
    server.state.subworkflows.set(workflowId, say('from within'))
    const run = server.state.offer(
      chain([
        { id: 'call', type: 'call-workflow', state: { workflowId } },
        {
          id: 'end',
          type: 'finish',
          state: { outputs: [{ name: 'heard', value: '{{ steps.call.outputs.said }}' }] },
        },
      ]),
    )
    await until('the run is finished', () => run.finish)
    expect(run.finish).toMatchObject({ result: 'succeeded', outputs: { heard: 'from within' } })
    expect(run.events.map(({ path }) => path)).toContain('call>/say')
  })

  it('tells where a failed run can go on, and goes on there', async () => {
    const document = chain(
      [
        { id: 'first', type: 'set-variable', state: { name: 'count', value: '{{ vars.count + 1 }}' } },
        {
          id: 'check',
          type: 'assert',
          state: { subject: 'expression', condition: 'run.attempt > 1', message: 'not yet' },
        },
        { id: 'end', type: 'finish', state: { outputs: [{ name: 'count', value: '{{ vars.count }}' }] } },
      ],
      { variables: [{ name: 'count', type: 'number', default: 0 }] },
    )
    const run = server.state.offer(document)
    const end = await until('the run is finished', () => run.finish)
    expect(end).toMatchObject({ result: 'failed', error: { class: 'AssertionFailed', message: 'not yet' } })
    const again = server.state.offer(document, { attempt: 2, startAt: JSON.stringify(end.checkpoint) })
    await until('the second is finished', () => again.finish)
    expect(again.finish).toMatchObject({ result: 'succeeded', outputs: { count: 1 } })
    expect(again.events.map(({ stepId }) => stepId)).not.toContain('first')
  })

  it('opens its session anew when the server no longer takes its token', async () => {
    for (const client of server.state.clients.values()) client.token = 'another one'
    const run = server.state.offer(say('still here'))
    await until('the run is finished', () => run.finish)
    expect(server.counts.get('session')).toBeGreaterThan(1)
  })

  it('tells how it is in its heartbeats', async () => {
    const beat = await until('an idle heartbeat', () =>
      server.state.heartbeats.find(({ freeSlots, slots }) => freeSlots === 2 && slots.length === 2),
    )
    expect(beat).toMatchObject({ state: 'running', refusing: null, userIns: 0 })
    expect(beat.memMb).toBeGreaterThan(0)
    expect(beat.diskFreeMb).toBeGreaterThan(0)
  })
})
