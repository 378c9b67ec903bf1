import releaseSync from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import type {
  Intrinsics,
  QuickJSContext,
  QuickJSSyncVariant,
  QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { SIZE_LIMITS } from './protocol.ts'
import type { ChildLine, ChildSettings, EvaluateRequest } from './protocol.ts'

/** The package's one set of types fits either way of importing it, so its default may be named once or twice. */
const variantOf = (found: QuickJSSyncVariant | { default: QuickJSSyncVariant }): QuickJSSyncVariant =>
  'default' in found ? found.default : found

type Result = Extract<ChildLine, { kind: 'result' }>['result']

/** What a request gave, and whether this process can be trusted with the next. */
export interface Evaluated {
  result: Result
  leaving: boolean
}

/**
 * Only what an expression needs: no proxies, typed arrays or weak references. Promises must be there, because `async`
 * is syntax and QuickJS aborts without them; nothing ever runs what they wait for.
 */
const INTRINSICS: Intrinsics = {
  BaseObjects: true,
  Date: true,
  Eval: true,
  StringNormalize: true,
  RegExp: true,
  RegExpCompiler: true,
  JSON: true,
  MapSet: true,
  Promise: true,
}

/**
 * Runs before the expression, with the scope's JSON text. It makes the names of the scope global, takes away what makes
 * code from text, chance and the real time, and gives back functions that the expression cannot reach or change.
 */
const PRELUDE = `(function (scopeText) {
  'use strict';
  const { parse, stringify } = JSON;
  const scope = parse(scopeText);
  const given = scope !== null && typeof scope === 'object' && scope.run !== null && typeof scope.run === 'object'
    ? Date.parse(scope.run.now) : NaN;
  const RealDate = Date;
  const FixedDate = function Date(...parts) {
    if (!new.target) return new RealDate(given).toString();
    return parts.length === 0 ? new RealDate(given) : new RealDate(...parts);
  };
  FixedDate.prototype = RealDate.prototype;
  FixedDate.prototype.constructor = FixedDate;
  FixedDate.now = () => given;
  FixedDate.parse = RealDate.parse;
  FixedDate.UTC = RealDate.UTC;
  globalThis.Date = FixedDate;
  delete Math.random;
  delete globalThis.eval;
  delete globalThis.Function;
  for (const sample of [function () {}, function* () {}, async function () {}, async function* () {}]) {
    delete Object.getPrototypeOf(sample).constructor;
  }
  for (const name of Object.keys(scope)) {
    Object.defineProperty(globalThis, name, { value: scope[name], writable: true, enumerable: true, configurable: true });
  }
  const textOf = (value) => {
    if (typeof value === 'string') return value;
    if (value === undefined || value === null) return '';
    return typeof value === 'object' ? stringify(value) : String(value);
  };
  return {
    json: (value) => { const text = stringify(value); return text === undefined ? 'null' : text; },
    text: (value) => stringify(textOf(value)),
  };
})`

const PAGE_BYTES = 65_536
const MEGABYTE = 1024 * 1024
/** A runtime shares the module's memory with the module itself. */
const MODULE_MEMORY_MB = 16

/**
 * Evaluates requests one by one, each in a runtime of its own. It runs in the sandbox's own processes and, for previews on
 * the author's own screen, in a worker of a browser.
 */
export class Evaluator {
  private readonly module: QuickJSWASMModule
  private readonly settings: ChildSettings
  private readonly usedMs: () => number

  private constructor(module: QuickJSWASMModule, settings: ChildSettings, usedMs: () => number) {
    this.module = module
    this.settings = settings
    this.usedMs = usedMs
  }

  /** Loads QuickJS with a memory that cannot grow beyond its limit. `usedMs` tells the time that this thread has worked. */
  static async create(settings: ChildSettings, usedMs: () => number): Promise<Evaluator> {
    const maximum = ((MODULE_MEMORY_MB + settings.runtimeMemoryMb) * MEGABYTE) / PAGE_BYTES
    const wasmMemory = new WebAssembly.Memory({ initial: (16 * MEGABYTE) / PAGE_BYTES, maximum })
    return new Evaluator(
      await newQuickJSWASMModuleFromVariant(newVariant(variantOf(releaseSync), { wasmMemory })),
      settings,
      usedMs,
    )
  }

  /** Evaluates one request over a scope given as JSON text. */
  evaluate(request: EvaluateRequest, scopeText: string): Evaluated {
    const deadline = createDeadline(this.settings.interruptMs, this.usedMs)
    let result: Result | undefined
    try {
      const runtime = this.module.newRuntime({
        memoryLimitBytes: this.settings.runtimeMemoryMb * MEGABYTE,
        maxStackSizeBytes: 256 * 1024,
        interruptHandler: deadline.isOver,
      })
      const context = runtime.newContext({ intrinsics: INTRINSICS })
      result = evaluateIn(context, request, scopeText, deadline)
      // A runtime that ran out of memory may not be able to clear up; this process ends instead.
      if (!result.ok && result.code === 'expression.memory') return { result, leaving: true }
      context.dispose()
      runtime.dispose()
      return { result, leaving: false }
    } catch (error) {
      // QuickJS gave up in the middle, perhaps only while clearing up after a result that stands.
      return { result: result ?? crash(error), leaving: true }
    }
  }
}

function crash(error: unknown): Result {
  const message = error instanceof Error ? error.message : String(error)
  const code = /memory|alloc|out of bounds/i.test(message) ? 'expression.memory' : 'expression.error'
  return { ok: false, code, message: message.slice(0, 500) }
}

interface Deadline {
  isOver: () => boolean
  passed: () => boolean
}

/**
 * Counts the time that the evaluation itself has used, so that a busy machine does not end innocent ones; the clock on
 * the wall ends it all the same after ten times as long.
 */
function createDeadline(milliseconds: number, used: () => number): Deadline {
  const startUsed = used()
  const startWall = performance.now()
  let over = false
  return {
    isOver: () => {
      over ||= used() - startUsed > milliseconds || performance.now() - startWall > 10 * milliseconds
      return over
    },
    passed: () => over,
  }
}

function evaluateIn(
  context: QuickJSContext,
  request: EvaluateRequest,
  scopeText: string,
  deadline: Deadline,
): Result {
  const prelude = context.evalCode(PRELUDE, 'prelude')
  if (prelude.error) return failure(context, prelude.error, deadline)
  const scope = context.newString(scopeText)
  const made = context.callFunction(prelude.value, context.undefined, scope)
  scope.dispose()
  prelude.value.dispose()
  if (made.error) return failure(context, made.error, deadline)
  const name = request.kind === 'expression' ? 'json' : 'text'
  const finish = context.getProp(made.value, name)
  made.value.dispose()
  try {
    const one = (expression: string): Result => {
      // The line break ends a comment at the end of the expression.
      const value = context.evalCode(`(${expression}\n)`, 'expression', { type: 'global', strict: true })
      if (value.error) return failure(context, value.error, deadline)
      const text = context.callFunction(finish, context.undefined, value.value)
      value.value.dispose()
      if (text.error) return failure(context, text.error, deadline)
      const json = context.getString(text.value)
      text.value.dispose()
      return { ok: true, text: json }
    }
    if (request.kind === 'expression') return withinSize(one(request.expression))
    let whole = ''
    for (const part of request.parts) {
      if (part.kind === 'text') {
        whole += part.text
        continue
      }
      const result = one(part.expression)
      if (!result.ok) return result
      const text: unknown = JSON.parse(result.text)
      whole += typeof text === 'string' ? text : ''
      if (whole.length > SIZE_LIMITS.value) break
    }
    return withinSize({ ok: true, text: JSON.stringify(whole) })
  } finally {
    finish.dispose()
  }
}

function withinSize(result: Result): Result {
  if (!result.ok || new TextEncoder().encode(result.text).byteLength <= SIZE_LIMITS.value) return result
  return { ok: false, code: 'expression.too_large', message: 'The value is too large.' }
}

function failure(
  context: QuickJSContext,
  error: ReturnType<QuickJSContext['newError']>,
  deadline: Deadline,
): Result {
  const dumped: unknown = context.dump(error)
  error.dispose()
  if (deadline.passed()) {
    return { ok: false, code: 'expression.timeout', message: 'The expression took too long.' }
  }
  const message = messageOf(dumped)
  if (message === 'InternalError: out of memory' || dumped === null) {
    return { ok: false, code: 'expression.memory', message: 'The expression used too much memory.' }
  }
  return { ok: false, code: 'expression.error', message: message.slice(0, 500) }
}

function messageOf(dumped: unknown): string {
  if (typeof dumped === 'object' && dumped !== null && 'message' in dumped && 'name' in dumped) {
    return `${String(dumped.name)}: ${String(dumped.message)}`
  }
  return typeof dumped === 'string' ? dumped : 'The expression threw a value that is no error.'
}
