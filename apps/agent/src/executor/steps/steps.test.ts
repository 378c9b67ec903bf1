import { describe, expect, it } from 'vitest'
import { StepError } from '@weft/workflow/errors'
import { toFailure } from '../failures.ts'
import { pathOf } from '../journal.ts'
import { startOf } from '../run.ts'
import { matchesPattern } from './wait-for.ts'

describe('patterns of addresses', () => {
  it.each([
    ['https://a.org/x', 'https://a.org/x', true],
    ['https://a.org/x', 'https://a.org/', false],
    ['https://a.org/x/done?n=1', '*/done*', true],
    ['https://a.org/x/done', 'https://a.org/*/done', true],
    ['https://a.org/done', 'https://a.org/*/done', false],
    ['abc', 'ab*bc', false],
    ['anything', '*', true],
  ])('%s by %s: %s', (address, pattern, fits) => {
    expect(matchesPattern(address, pattern)).toBe(fits)
  })
})

describe('failures', () => {
  const named = (name: string, message: string) => Object.assign(new Error(message), { name })

  it.each([
    [
      named('TimeoutError', 'locator.click: Timeout 500ms exceeded.\n - element is not enabled'),
      'ElementNotUsable',
    ],
    [named('TimeoutError', 'page.goto: Timeout 500ms exceeded.'), 'Timeout'],
    [new Error('page.goto: net::ERR_CONNECTION_REFUSED at http://x'), 'NavigationFailed'],
    [new Error('locator.click: Target page, context or browser has been closed'), 'BrowserCrashed'],
    [new Error('something else'), 'Internal'],
    [new StepError('LoopLimit', 'x'), 'LoopLimit'],
  ])('%s', (thrown, errorClass) => {
    expect(toFailure(thrown).class).toBe(errorClass)
  })

  it('leave the colours and the call log of a message behind', () => {
    const escape = String.fromCharCode(27)
    expect(toFailure(new Error(`${escape}[31mbad${escape}[39m\n  - call log`)).message).toBe('bad')
  })
})

describe('paths', () => {
  it('end with the step and stay unique when they are cut', () => {
    expect(pathOf({ path: '', stepId: 'a' })).toBe('a')
    expect(pathOf({ path: 'rows:body[3]', stepId: 'a' })).toBe('rows:body[3]/a')
    const long = (end: string) => pathOf({ path: `${'x'.repeat(600)}${end}/${'y'.repeat(520)}`, stepId: 'a' })
    expect(long('1')).toHaveLength(500)
    expect(long('1')).not.toBe(long('2'))
    expect(long('1').endsWith('/a')).toBe(true)
  })
})

describe('where a run goes on', () => {
  it('is a step, or the checkpoint of an earlier run', () => {
    expect(startOf(null)).toEqual({})
    expect(startOf('post')).toEqual({ startAt: { stepId: 'post', path: [], vars: {}, steps: {} } })
    const checkpoint = {
      stepId: 'post',
      path: [{ stepId: 'rows', outcome: 'body', index: 2 }],
      vars: { n: 1 },
      steps: {},
    }
    expect(startOf(JSON.stringify(checkpoint))).toEqual({ startAt: checkpoint })
  })
})
