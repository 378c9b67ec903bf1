import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Door } from './door.ts'

/** A door with work that is noted and ends when the test says. */
function scene(options: { atOnce?: number; waitingMax?: number }) {
  const door = new Door(options)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const come = (who: string, address: string) =>
    door.pass(address, 0, async () => {
      begun.push(who)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const endOne = async () => {
    await sleep(0)
    ends.shift()?.()
    await sleep(0)
  }
  return { door, begun, come, endOne }
}

describe('the door of the sign-in', () => {
  it('lets so many through at once, and the rest in turn', async () => {
    const { begun, come, endOne } = scene({ atOnce: 2 })
    const all = [come('a', '10.0.0.1'), come('b', '10.0.0.2'), come('c', '10.0.0.3')]
    await sleep(0)
    expect(begun).toEqual(['a', 'b'])
    await endOne()
    expect(begun).toEqual(['a', 'b', 'c'])
    await endOne()
    await endOne()
    await Promise.all(all)
  })

  it('lets pass first who has tried least', async () => {
    const { begun, come, endOne } = scene({ atOnce: 1 })
    const crowd = [1, 2, 3, 4].map((n) => come(`crowd ${n}`, '10.0.0.1'))
    const owner = come('owner', '10.0.0.2')
    await endOne()
    expect(begun).toEqual(['crowd 1', 'owner'])
    for (let n = 0; n < 4; n += 1) await endOne()
    expect(begun.slice(2)).toEqual(['crowd 2', 'crowd 3', 'crowd 4'])
    await Promise.all([...crowd, owner])
  })

  it('refuses who has tried most when too many wait', async () => {
    const { begun, come, endOne } = scene({ atOnce: 1, waitingMax: 2 })
    const first = come('crowd 1', '10.0.0.1')
    const second = come('crowd 2', '10.0.0.1')
    const third = come('crowd 3', '10.0.0.1')
    const refused = expect(third).rejects.toMatchObject({ code: 'auth.busy' })
    const owner = come('owner', '10.0.0.2')
    await refused
    for (let n = 0; n < 3; n += 1) await endOne()
    expect(begun).toEqual(['crowd 1', 'owner', 'crowd 2'])
    await Promise.all([first, second, owner])
  })

  it('goes on after work that failed, and forgets the tries of somebody known', async () => {
    const door = new Door({ atOnce: 1 })
    const failed = door.pass('10.0.0.1', 0, () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    door.forgive('10.0.0.1')
    await expect(door.pass('10.0.0.1', 0, () => Promise.resolve('in'))).resolves.toBe('in')
  })
})
