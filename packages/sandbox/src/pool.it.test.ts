import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { createSandbox } from './pool.ts'
import type { EvaluateResult, Json } from './pool.ts'

const sandbox = createSandbox()
afterAll(() => sandbox.close())

const scope = {
  inputs: { name: 'Ada', rows: [{ price: 5 }, { price: 20 }] },
  run: { now: '2026-03-01T10:00:00.000Z' },
}
const evaluate = (expression: string, over: Json = scope) => sandbox.evaluate(expression, over)
const codeOf = (result: EvaluateResult) => (result.ok ? `value ${JSON.stringify(result.value)}` : result.code)

/** The sandbox's processes that this one has started; it may have started others too. */
const childrenNow = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('child.ts')
      } catch {
        return false
      }
    })

describe('expressions', () => {
  test.each([
    ['1 + 1', 2],
    ['inputs.rows.filter((row) => row.price < 10)', [{ price: 5 }]],
    ['`Hello ${inputs.name}`', 'Hello Ada'],
    ['inputs.missing', null],
    ['(() => 1)', null],
    ['0 / 0', null],
    ['({ a: [1, { b: null }] })', { a: [1, { b: null }] }],
    ['1 // a comment', 1],
    ['"أهلا 👋\\u2028".length', 8],
    ['new Map([["a", 1]]).get("a")', 1],
  ])('%s', async (expression, value) => {
    expect(await evaluate(expression)).toEqual({ ok: true, value })
  })

  test('time is what the scope says, in UTC, and there is no chance', async () => {
    expect(await evaluate('new Date()')).toEqual({ ok: true, value: scope.run.now })
    expect(await evaluate('[Date.now(), new Date().getHours(), new Date(0).getTimezoneOffset()]')).toEqual({
      ok: true,
      value: [Date.parse(scope.run.now), 10, 0],
    })
    expect(await evaluate('typeof Math.random')).toEqual({ ok: true, value: 'undefined' })
  })

  test('an error says what is wrong', async () => {
    expect(await evaluate('inputs.none.x')).toMatchObject({
      code: 'expression.error',
      message: expect.stringContaining('TypeError'),
    })
    expect(await evaluate('1 +')).toMatchObject({
      code: 'expression.error',
      message: expect.stringContaining('SyntaxError'),
    })
    expect(await evaluate('nowhere')).toMatchObject({ code: 'expression.error' })
  })

  test('templates become text', async () => {
    const parts = [
      { kind: 'text' as const, text: 'Dear ' },
      { kind: 'expression' as const, expression: 'inputs.name' },
      { kind: 'text' as const, text: ': ' },
      { kind: 'expression' as const, expression: '[inputs.missing, 1, true].map((x) => x)' },
      { kind: 'expression' as const, expression: 'inputs.missing' },
      { kind: 'expression' as const, expression: '2 * 21' },
    ]
    expect(await sandbox.evaluateTemplate(parts, scope)).toEqual({
      ok: true,
      value: 'Dear Ada: [null,1,true]42',
    })
  })

  test('one that fails does not touch the others of its batch, whatever it does to its world', async () => {
    const expressions = [
      'globalThis.inputs = 1',
      'inputs.name',
      '(() => { for (;;) {} })()',
      'Object.prototype.evil = 1',
      '({}).evil',
      'JSON.parse("[".repeat(1000000))',
      '(() => { const a = []; a.length = 4e9; return a.indexOf(1) })()',
      'JSON.stringify = () => "1"',
      'inputs.rows.length',
    ]
    const results = await sandbox.evaluateMany(
      expressions.map((expression) => ({ kind: 'expression', expression })),
      scope,
    )
    expect(results.map(codeOf)).toEqual([
      'value 1',
      'value "Ada"',
      'expression.timeout',
      'value 1',
      'value null',
      'expression.error',
      'expression.timeout',
      'value null',
      'value 2',
    ])
  })
})

describe('what is data stays data', () => {
  test('lines within data are not jobs', async () => {
    const job = JSON.stringify({ id: 1, requests: [{ kind: 'expression', expression: '"owned"' }] })
    for (const separator of ['\n', '\r', '\u2028', '\u2029', '\u0085']) {
      const text = `x${separator}${job}${separator}{}${separator}`
      expect(await evaluate('inputs.text', { inputs: { text } })).toEqual({ ok: true, value: text })
    }
  })

  test('there is no way to make code from text', async () => {
    const attempts = [
      'eval("1")',
      'Function("return 1")()',
      '(() => {}).constructor("return 1")()',
      '(function* () {}).constructor("yield 1")().next()',
      '(async () => {}).constructor("return 1")()',
      'Object.getPrototypeOf(async function* () {}).constructor("return 1")()',
      '[].map.constructor("return 1")()',
      'Reflect.construct(Date.constructor, ["return 1"])()',
      'import("node:fs")',
    ]
    for (const attempt of attempts)
      expect([attempt, codeOf(await evaluate(attempt))]).toEqual([
        attempt,
        expect.stringMatching(/^expression\.error|^value \{\}$/),
      ])
  })

  test('forbidden keys are left out of values', async () => {
    const result = await evaluate('JSON.parse(\'{"a": {"__proto__": {"x": 1}, "constructor": 2, "b": 3}}\')')
    expect(result).toEqual({ ok: true, value: { a: { b: 3 } } })
    expect(await evaluate('({ ["__pro" + "to__"]: 1, ["\\u005f_proto__"]: 2, ok: 1 })')).toEqual({
      ok: true,
      value: { ok: 1 },
    })
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  })

  test('nothing of the machine is in reach', async () => {
    for (const name of [
      'process',
      'require',
      'module',
      'fetch',
      'WebAssembly',
      'setTimeout',
      'console',
      'Proxy',
      'SharedArrayBuffer',
      'std',
      'os',
    ]) {
      expect(await evaluate(`typeof ${name}`)).toEqual({ ok: true, value: 'undefined' })
    }
  })
})

describe('hostile expressions end, and the next one works', () => {
  test.each([
    ['an endless loop', '(() => { for (;;) {} })()', ['expression.timeout']],
    [
      'a regular expression that goes back and forth',
      '/(a+)+$/.test("a".repeat(40) + "b")',
      ['expression.timeout'],
    ],
    [
      'a search of a huge array that hears nothing',
      '(() => { const a = []; a.length = 4e9; return a.indexOf(1) })()',
      ['expression.timeout'],
    ],
    [
      'sorting a huge array',
      '(() => { const a = []; a.length = 4e9; return a.sort() })()',
      ['expression.timeout', 'expression.memory'],
    ],
    ['two gigabytes at once', '"x".repeat(1e9) + "y".repeat(1e9)', ['expression.memory', 'expression.error']],
    [
      'two gigabytes in pieces',
      '(() => { const a = []; for (;;) a.push("x".repeat(1e6) + a.length) })()',
      // On a busy machine its time may be over first.
      ['expression.memory', 'expression.timeout'],
    ],
    ['an array of a billion', 'new Array(1e9).fill({ a: 1 })', ['expression.memory', 'expression.timeout']],
    ['recursion', '(() => { const f = () => f() + 1; return f() })()', ['expression.error']],
    [
      'recursion in a getter',
      '(() => { const o = { get a() { return this.a } }; return o })()',
      ['expression.error'],
    ],
    [
      'deep JSON',
      'JSON.parse("[".repeat(500000) + "]".repeat(500000))',
      ['expression.error', 'expression.memory'],
    ],
    [
      'a deep value',
      '(() => { let a = []; for (let i = 0; i < 1e6; i++) a = [a]; return a })()',
      ['expression.error', 'expression.memory', 'expression.timeout'],
    ],
    ['a value too large', '"x".repeat(2e6)', ['expression.too_large']],
    ['a circle', '(() => { const a = {}; a.a = a; return a })()', ['expression.error']],
    ['a value that lies about itself', '({ toJSON() { for (;;) {} } })', ['expression.timeout']],
    [
      'an error that lies about itself',
      '(() => { throw { get message() { for (;;) {} } } })()',
      ['expression.timeout', 'expression.error'],
    ],
    ['an expression that closes its bracket', '1); for (;;) {} (2', ['expression.timeout']],
  ])('%s', async (_, expression, codes) => {
    const started = performance.now()
    const result = await evaluate(expression)
    expect(codes).toContain(codeOf(result))
    expect(performance.now() - started).toBeLessThan(15_000)
    expect(await evaluate('1 + 1')).toEqual({ ok: true, value: 2 })
  })

  test('what is too large is refused before a child sees it', async () => {
    expect(codeOf(await evaluate(`"${'x'.repeat(70_000)}"`))).toBe('expression.too_large')
    expect(codeOf(await evaluate('1', { inputs: { text: 'é'.repeat(600_000) } }))).toBe(
      'expression.too_large',
    )
    expect(codeOf(await evaluate('inputs.text.length', { inputs: { text: 'x'.repeat(1_000_000) } }))).toBe(
      'value 1000000',
    )
  })
})

describe('the pool', () => {
  test('children see no environment and no file but their own code', () => {
    const [pid] = childrenNow()
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('')
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    expect(args).toContain('--permission')
    expect(args.some((arg) => arg.startsWith('--allow-fs-write') || arg === '--allow-child-process')).toBe(
      false,
    )
  })

  test('several work at the same time, what waits can be called off, and closing leaves no process', async () => {
    const before = childrenNow().length
    const own = createSandbox({ size: 2 })
    const slow = '(() => { const a = []; a.length = 4e9; return a.indexOf(1) })()'
    const controller = new AbortController()
    const busy = [own.evaluate(slow, {}), own.evaluate(slow, {})]
    const waiting = own.evaluate('1', {}, controller.signal)
    controller.abort()
    expect(codeOf(await waiting)).toBe('expression.cancelled')
    expect((await Promise.all(busy)).map(codeOf)).toEqual(['expression.timeout', 'expression.timeout'])
    const last = own.evaluate('1', {})
    await own.close()
    expect(codeOf(await last)).toBe('expression.cancelled')
    expect(codeOf(await own.evaluate('1', {}))).toBe('expression.cancelled')
    expect(childrenNow().length).toBe(before)
  })

  test('a child killed from outside is replaced', async () => {
    await evaluate('1')
    const [pid] = childrenNow()
    process.kill(Number(pid), 'SIGKILL')
    // Its end is told a little later; what was given to it before then is lost with it.
    await expect.poll(() => evaluate('2')).toEqual({ ok: true, value: 2 })
  })

  test('a thousand evaluations, one by one and in batches', async () => {
    const one = performance.now()
    for (let index = 0; index < 1000; index += 1) await evaluate('inputs.rows.length + inputs.name.length')
    const perCall = (performance.now() - one) / 1000
    const many = performance.now()
    for (let index = 0; index < 200; index += 1) {
      await sandbox.evaluateMany(
        Array.from({ length: 5 }, () => ({ kind: 'expression' as const, expression: 'inputs.name' })),
        scope,
      )
    }
    const perBatched = (performance.now() - many) / 1000
    console.log(
      `${perCall.toFixed(2)} ms a call, ${perBatched.toFixed(2)} ms an expression in batches of five`,
    )
    expect(perCall).toBeLessThan(50)
  })
})
