import { expect, it } from 'vitest'
import { frameOf, framesOf } from './targets.ts'

it('reads the frames within frames that a target is in, and leaves selectors of one frame alone', () => {
  expect(framesOf('#pay')).toEqual(['#pay'])
  expect(framesOf('div > iframe')).toEqual(['div > iframe'])
  expect(framesOf('#shop  >> iframe[name="pay"] >> #card')).toEqual(['#shop', 'iframe[name="pay"]', '#card'])
  expect(framesOf(`iframe[title="a >> b"]`)).toEqual([`iframe[title="a >> b"]`])
  const both = ['#shop', `iframe[title='a >> b']`]
  expect(framesOf(frameOf(both))).toEqual(both)
})
