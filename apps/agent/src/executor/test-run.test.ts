import { describe, expect, it } from 'vitest'
import { emptyDocument } from '@weft/workflow/document'
import { Masker } from './mask.ts'
import { keptValues, pageOf, PagesSeen, testOf } from './test-run.ts'

describe('what a test run leaves', () => {
  it('is masked', () => {
    const masker = new Masker()
    masker.add('hunter22')
    const kept = keptValues(
      { vars: { a: 'hunter22', n: 1 }, steps: { ask: { body: 'is hunter22!' } } },
      masker,
    )
    expect(JSON.stringify(kept)).not.toContain('hunter22')
    expect(kept).toMatchObject({ vars: { n: 1 } })
  })

  it('is bounded: the largest are given in part, the small ones stay', () => {
    const values = {
      vars: { small: 'x', list: Array.from({ length: 2000 }, (_, n) => n) },
      steps: { big: { body: 'y'.repeat(50_000) }, little: { n: 1 } },
    }
    const kept = keptValues(values, new Masker(), undefined, 12_000)
    expect(kept?.steps['big']).toMatchObject({ shortened: true, length: 50_011 })
    expect(kept).toMatchObject({ vars: values.vars, steps: { little: { n: 1 } } })
    expect(JSON.stringify(keptValues(values, new Masker(), undefined, 5000)).length).toBeLessThan(5000)
    expect(keptValues(null, new Masker())).toBeNull()
  })
})

describe('what a test run tells the interpreter', () => {
  const test = (part: { kind: 'whole' } | { kind: 'step' | 'from'; activityId: string }) => ({
    test: { part, pins: { ask: { n: 1 } }, page: 'https://a.example/list', expectations: [] },
  })

  it('is its part and what stands in for steps; other runs tell nothing', () => {
    expect(testOf({ test: null })).toEqual({})
    expect(testOf(test({ kind: 'whole' }))).toEqual({ pins: { ask: { n: 1 } }, partly: false })
    expect(testOf(test({ kind: 'from', activityId: 'a' }))).toEqual({ pins: { ask: { n: 1 } }, partly: true })
    expect(testOf(test({ kind: 'step', activityId: 'a' }))).toMatchObject({ partly: true, stopAfter: 'a' })
  })

  it('begins a part on the page that stood before it, unless it opens one', () => {
    const of = (id: string, type: string) => ({ id, type, typeVersion: 1, state: {} })
    const document = { ...emptyDocument(), activities: [of('a', 'click'), of('b', 'open-page')] }
    expect(pageOf(test({ kind: 'from', activityId: 'a' }), document)).toBe('https://a.example/list')
    expect(pageOf(test({ kind: 'step', activityId: 'b' }), document)).toBeNull()
    expect(pageOf(test({ kind: 'whole' }), document)).toBeNull()
  })

  it('keeps the first page before each step, and none that holds a secret', () => {
    const masker = new Masker()
    masker.add('hunter22')
    const seen = new PagesSeen(masker)
    for (const [path, address] of [
      ['', undefined],
      ['', 'about:blank'],
      ['', 'https://a.example/?key=hunter22'],
      ['call>', 'https://a.example/inside'],
      ['', 'https://a.example/1'],
      ['', 'https://a.example/2'],
    ] as const)
      seen.note({ path, stepId: 'a' }, address)
    expect(seen.all).toEqual({ a: 'https://a.example/1' })
  })
})
