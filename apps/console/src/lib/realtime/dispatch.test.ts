import { expect, test, vi } from 'vitest'
import { dispatch, type HubEffects } from './dispatch.ts'
import { Watches } from './watches.ts'

function effects() {
  return {
    changed: vi.fn(),
    configChanged: vi.fn(),
    rightsChanged: vi.fn(),
    preferencesChanged: vi.fn(),
    told: vi.fn(),
    notify: vi.fn(),
    runLog: vi.fn(),
    seen: vi.fn(),
  } satisfies HubEffects
}
const change = (feature: string, seq = 7) => ({
  seq,
  feature,
  id: 'x',
  kind: 'updated',
  parentId: null,
  at: '2026-01-01T00:00:00Z',
})

test('a change makes the reads of its feature old, and remembers its number', () => {
  const told = effects()
  dispatch({ method: 'recordChanged', message: change('profiles') }, told)
  expect(told.changed).toHaveBeenCalledWith(['profiles'])
  expect(told.seen).toHaveBeenCalledWith(7)
})

test('messages may come as text', () => {
  const told = effects()
  dispatch(JSON.stringify({ method: 'clientChanged', message: JSON.stringify(change('clients')) }), told)
  expect(told.changed).toHaveBeenCalledWith(['clients', 'reports'])
})

test('changes of configuration and rights are read anew', () => {
  const told = effects()
  dispatch({ method: 'systemConfigChanged', message: change('system') }, told)
  dispatch({ method: 'recordChanged', message: change('roles') }, told)
  expect(told.configChanged).toHaveBeenCalledTimes(1)
  expect(told.rightsChanged).toHaveBeenCalledTimes(1)
  dispatch({ method: 'userChanged', message: {} }, told)
  expect(told.rightsChanged).toHaveBeenCalledTimes(2)
})

test('a new notification makes the centre old and is told; one that was read is not', () => {
  const told = effects()
  dispatch({ method: 'notifyMessage', message: { ...change('notifications'), kind: 'created' } }, told)
  expect(told.changed).toHaveBeenCalledWith(['notifications'])
  expect(told.told).toHaveBeenCalledTimes(1)
  dispatch({ method: 'notifyMessage', message: change('notifications', 8) }, told)
  expect(told.told).toHaveBeenCalledTimes(1)
  expect(told.notify).not.toHaveBeenCalled()
})

test('preferences that were changed on another device are read anew', () => {
  const told = effects()
  dispatch({ method: 'recordChanged', message: change('preferences') }, told)
  expect(told.preferencesChanged).toHaveBeenCalledTimes(1)
})

test('notices are shown and log lines go to who watches', () => {
  const told = effects()
  dispatch({ method: 'notifyMessage', message: { type: 'warning', message: 'Late' } }, told)
  expect(told.notify).toHaveBeenCalledWith({ type: 'warning', message: 'Late' })
  dispatch({ method: 'runLog', message: { runId: 'r', campaignId: null, lines: [] } }, told)
  expect(told.runLog).toHaveBeenCalledWith('r', null, { runId: 'r', campaignId: null, lines: [] })
})

test('what is not understood does nothing', () => {
  const told = effects()
  for (const message of [
    '{',
    null,
    5,
    { method: 'unheardOf', message: {} },
    { method: 'recordChanged', message: {} },
  ])
    dispatch(message, told)
  for (const effect of Object.values(told)) expect(effect).not.toHaveBeenCalled()
})

test('one stream per record, asked for again after a reconnect, ended with the last listener', () => {
  const watches = new Watches()
  const port = { watch: vi.fn(), unwatch: vi.fn() }
  const first = vi.fn()
  const leaveFirst = watches.add('runs', 'r', first)
  watches.open(port)
  expect(port.watch).toHaveBeenCalledWith('runs', 'r')
  const leaveSecond = watches.add('runs', 'r', vi.fn())
  expect(port.watch).toHaveBeenCalledTimes(1)
  watches.tell('runs', 'r', 'line')
  expect(first).toHaveBeenCalledWith('line')
  watches.lost()
  watches.open(port)
  expect(port.watch).toHaveBeenCalledTimes(2)
  leaveFirst()
  expect(port.unwatch).not.toHaveBeenCalled()
  leaveSecond()
  expect(port.unwatch).toHaveBeenCalledWith('runs', 'r')
})
