import { array, assert, asyncProperty, constantFrom, letrec, oneof, record } from 'fast-check'
import { expect, test } from 'vitest'
import { sketch, type StepSketch } from '../testing/builder.ts'
import { runFake } from '../testing/fake-run.ts'
import { add, long, throughHolds, withSeen } from '../testing/held.ts'
import { tries } from '../testing/random-edits.ts'

/** What a random workflow is made of, before its steps have their ids. */
type Piece = {
  kind: 'wait' | 'see' | 'fail' | 'each' | 'poll' | 'if' | 'try'
  first: Piece[]
  second: Piece[]
}

const { pieces } = letrec<{ pieces: Piece[]; piece: Piece }>((tie) => ({
  pieces: array(tie('piece'), { minLength: 1, maxLength: 4, depthIdentifier: 'steps' }),
  piece: oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true, depthIdentifier: 'steps' },
    record({
      kind: constantFrom('wait', 'wait', 'see', 'see', 'fail'),
      first: constantFrom<Piece[]>([]),
      second: constantFrom<Piece[]>([]),
    }),
    record({
      kind: constantFrom('each', 'poll', 'if', 'try'),
      first: tie('pieces'),
      second: tie('pieces'),
    }),
  ),
}))

function stepsOf(all: readonly Piece[], prefix: string): StepSketch[] {
  return all.map(({ kind, first, second }, index): StepSketch => {
    const id = `${prefix}${kind}${index}`
    const bodies = (one: string, other?: string) => ({
      [one]: stepsOf(first, `${id}_`),
      ...(other === undefined ? {} : { [other]: stepsOf(second, `${id}o`) }),
    })
    const see = JSON.stringify(id)
    switch (kind) {
      case 'wait':
        return long(id)
      case 'see':
        return add(id, `${see} + (loop?.index ?? "") + (error?.class ?? "")`)
      case 'fail':
        return {
          id,
          type: 'assert',
          state: { subject: 'expression', condition: 'vars.seen.length % 2 === 1' },
        }
      case 'each':
        return { id, type: 'for-each', state: { items: '[vars.seen.length, 2]' }, bodies: bodies('body') }
      case 'poll':
        return {
          id,
          type: 'repeat-until',
          state: { condition: 'loop.index === 1', maxTimes: 2, delaySeconds: 300 },
          bodies: bodies('body'),
        }
      case 'if':
        return {
          id,
          type: 'condition',
          state: { condition: 'vars.seen.length % 2 === 0' },
          bodies: bodies('true', 'false'),
        }
      default:
        return { id, type: 'try-catch', bodies: { ...bodies('try', 'catch'), finally: [add(`${id}f`, see)] } }
    }
  })
}

test('any workflow comes to the same, held as often as it waits or not at all', async () => {
  let held = 0
  await assert(
    asyncProperty(pieces, async (all) => {
      const document = sketch(stepsOf(all, 's'), withSeen)
      const settings = { timeLimitSeconds: 10_000_000 }
      const whole = await runFake({ document, settings })
      const parted = await throughHolds({ document, settings })
      held += parted.waited
      const of = ({ status, values, error, steps: { started } }: typeof whole.result) => ({
        status,
        values,
        class: error?.class,
        started,
      })
      expect(of(parted.result)).toEqual(of(whole.result))
    }),
    tries(60),
  )
  expect(held).toBeGreaterThan(30)
}, 60_000)
