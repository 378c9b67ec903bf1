import { expect, test } from 'vitest'
import type { RunStep } from '@weft/contract/runs/schema'
import { countWithin, isNotable, placeOf, stepTree } from './tree.ts'

const step = (path: string, more: Partial<RunStep> = {}): RunStep => ({
  path,
  stepId: path.split(/[/>]/).at(-1) ?? path,
  name: path,
  type: 'click',
  attempt: 1,
  state: 'succeeded',
  startedAt: '2026-05-05T10:00:00Z',
  finishedAt: '2026-05-05T10:00:01Z',
  durationMs: 1000,
  outcome: 'done',
  input: {},
  output: null,
  error: null,
  intent: 'none',
  files: [],
  ...more,
})

test('a path tells the container, its body and the round', () => {
  expect(placeOf('open')).toBeNull()
  expect(placeOf('loop:body[2]/click')).toEqual({ container: 'loop', outcome: 'body', round: 2 })
  expect(placeOf('loop:body[0]/ask:true/click')).toEqual({
    container: 'loop:body[0]/ask',
    outcome: 'true',
    round: null,
  })
  expect(placeOf('choose:case:red/click')).toEqual({ container: 'choose', outcome: 'case:red', round: null })
  expect(placeOf('loop:body[1]/other>click')).toEqual({
    container: 'loop:body[1]/other',
    outcome: 'call',
    round: null,
  })
  expect(placeOf('other>loop:body[1]/click')).toEqual({ container: 'other>loop', outcome: 'body', round: 1 })
})

test('steps nest in their containers, one group per round', () => {
  const roots = stepTree([
    step('open'),
    step('loop'),
    step('loop:body[0]/click'),
    step('loop:body[0]/read'),
    step('loop:body[1]/click', { state: 'failed' }),
    step('finish'),
  ])
  expect(roots.map((node) => node.step.path)).toEqual(['open', 'loop', 'finish'])
  const loop = roots[1]
  expect(loop?.groups.map(({ round, nodes }) => [round, nodes.length])).toEqual([
    [0, 2],
    [1, 1],
  ])
  expect(loop && countWithin(loop)).toBe(3)
  expect(loop && isNotable(loop)).toBe(true)
  expect(roots[0] && isNotable(roots[0])).toBe(false)
})

test('attempts at one place stand side by side, what follows belongs to the last of them', () => {
  const roots = stepTree([step('part'), step('part', { attempt: 2 }), step('part:try/click')])
  expect(roots.map((node) => node.groups.length)).toEqual([0, 1])
})

test('a step whose container is not told stands on top', () => {
  expect(stepTree([step('0123456789abcdef/far/click')])).toHaveLength(1)
})
