import { describe, expect, test } from 'vitest'
import { StepError } from '../errors.ts'
import type { ActivityRunners } from '../interpret.ts'
import { sketch, type StepSketch } from '../testing/builder.ts'
import { noRunners, runFake } from '../testing/fake-run.ts'
import { add, holds, throughHolds, withSeen } from '../testing/held.ts'
import { heldStateSchema } from './held-state.ts'

/** A step that is tried so often, with such pauses. */
const flaky = (delaySeconds: number, attempts = 3): StepSketch => ({
  id: 'flaky',
  type: 'click',
  state: { targets: [{ by: 'text', text: 'Send' }] },
  retry: { attempts, delaySeconds },
})
const notThere = () => Promise.reject(new StepError('Timeout', 'not there'))

describe('a run that waits long before another attempt', () => {
  test('leaves in a long pause before another attempt, and goes on with that attempt', async () => {
    const rows = (delaySeconds: number): StepSketch => ({
      id: 'rows',
      type: 'for-each',
      state: { items: '["a", "b"]' },
      bodies: { body: [flaky(delaySeconds), add('see', 'loop.value')] },
    })
    const click = () => {
      const attempts: string[] = []
      const run: ActivityRunners['click'] = (_input, { path, attempt }) => {
        attempts.push(`${path} ${attempt}`)
        if (attempt < 3) return notThere()
        return Promise.resolve({ url: '' })
      }
      return { attempts, runners: { ...noRunners, click: run } }
    }
    const document = sketch([rows(600)], withSeen)
    const [whole, parted] = [click(), click()]
    const settings = { timeLimitSeconds: 86_400 }
    const one = await runFake({ document, settings, runners: whole.runners })
    const two = await throughHolds({ document, settings, runners: parted.runners })
    expect(one.result).toMatchObject({ status: 'succeeded', steps: { started: 5 } })
    expect(parted.attempts).toEqual(whole.attempts)
    expect(parted.attempts).toHaveLength(6)
    expect(two).toMatchObject({ waited: 4, result: { status: 'succeeded', steps: { started: 5 } } })
    expect(two.result.values).toEqual(one.result.values)
    const brief = click()
    const slept = await throughHolds({
      document: sketch([rows(119)], withSeen),
      settings,
      runners: brief.runners,
    })
    expect(slept).toMatchObject({ waited: 0, result: { status: 'succeeded' } })
  })

  test('says so in a shape that an agent which knows no such pauses refuses', async () => {
    const { result } = await runFake({
      document: sketch([flaky(600, 2)]),
      hold: holds(),
      runners: { ...noRunners, click: notThere },
    })
    // Such an agent takes the id of a waiting step alone, and the step for done.
    expect(result.held?.state.stepId).toEqual({ id: 'flaky', attempt: 2 })
    const said = { ...result.held?.state, stepId: 'flaky', attempt: 2 }
    expect(heldStateSchema.safeParse(said).success).toBe(false)
  })

  test('fails after the last attempt, as without leaving', async () => {
    const { result, waited, lines } = await throughHolds({
      document: sketch([flaky(600, 2)]),
      runners: { ...noRunners, click: notThere },
    })
    expect({ waited, status: result.status, class: result.error?.class }).toEqual({
      waited: 1,
      status: 'failed',
      class: 'Timeout',
    })
    expect(lines.filter((line) => line.startsWith('>'))).toEqual(['> flaky', '> flaky #2'])
  })
})
