import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { readLines } from './lines.ts'
import { isChildLine, MAX_LINE_BYTES } from './protocol.ts'
import type { ChildLine, EvaluateErrorCode, EvaluateRequest } from './protocol.ts'
import { usageOf } from './usage.ts'
import type { Usage } from './usage.ts'

/** Bounds of one child. */
export interface WorkerLimits {
  interruptMs: number
  timeoutMs: number
  runtimeMemoryMb: number
  memoryMb: number
}

/** Why a child was ended before it answered. */
export interface Ended {
  code: EvaluateErrorCode
  message: string
}

/** Work for a child: the requests that are left of a job, over one scope. */
export interface Work {
  id: number
  requests: EvaluateRequest[]
  scopeText: string
  onResult: (index: number, result: Extract<ChildLine, { kind: 'result' }>['result']) => void
  onDone: () => void
  /** The child is gone. Where it had announced that, every request it took up has its answer. */
  onEnded: (why: Ended, announced: boolean) => void
}

const NONSENSE: Ended = { code: 'expression.error', message: 'The sandbox said something it should not.' }
const UNEXPECTED: Ended = { code: 'expression.error', message: 'The sandbox ended unexpectedly.' }
const WATCH_MS = 25
const START_LIMIT_MS = 30_000
/** On a machine so busy that a child hardly runs, the clock on the wall ends it after this many times the limit. */
const WALL_FACTOR = 10

/** The folders that a child has to read: this package and QuickJS. Nothing else of the disk is open to it. */
function readableFolders(): string[] {
  const here = path.dirname(fileURLToPath(import.meta.url))
  const require = createRequire(import.meta.url)
  const core = require.resolve('quickjs-emscripten-core')
  const variant = require.resolve('@jitl/quickjs-wasmfile-release-sync')
  const packageOf = (file: string) => path.dirname(path.dirname(file))
  const scope = path.dirname(packageOf(variant))
  return [path.dirname(here), packageOf(core), scope].map((folder) => realpathSync(folder))
}

let folders: string[] | undefined

/**
 * One child process. It has an empty environment, may read its own code only, and is killed when it takes too long, takes
 * too much memory, or says something that it should not.
 */
export class Worker {
  private readonly child: ChildProcessByStdio<Writable, Readable, null>
  private readonly limits: WorkerLimits
  private readonly onGone: () => void
  private work: Work | undefined
  private next = 0
  private ready = false
  private gone = false
  private announced = false
  private why: Ended | undefined
  private watch: ReturnType<typeof setInterval> | undefined
  private began = 0
  private baseline: Usage | undefined
  private readonly startTimer: ReturnType<typeof setTimeout>

  constructor(limits: WorkerLimits, onReady: () => void, onGone: () => void) {
    this.limits = limits
    this.onGone = onGone
    folders ??= readableFolders()
    const { interruptMs, runtimeMemoryMb } = limits
    this.child = spawn(
      process.execPath,
      [
        '--permission',
        ...folders.map((folder) => `--allow-fs-read=${folder}${path.sep}*`),
        '--disallow-code-generation-from-strings',
        '--max-old-space-size=64',
        '--no-warnings',
        fileURLToPath(new URL('./child.ts', import.meta.url)),
        JSON.stringify({ interruptMs, runtimeMemoryMb }),
      ],
      { env: {}, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true },
    )
    this.startTimer = setTimeout(
      () => this.kill({ code: 'expression.error', message: 'The sandbox did not start.' }),
      START_LIMIT_MS,
    )
    this.startTimer.unref()
    readLines(
      this.child.stdout,
      (line) => {
        if (!this.gone) this.hear(line, onReady)
      },
      { maxBytes: MAX_LINE_BYTES, onTooLong: () => this.kill(NONSENSE) },
    )
    this.child.on('error', () => this.leave())
    this.child.on('exit', () => this.leave())
    // A child that ends while it is written to is heard of by its exit.
    this.child.stdin.on('error', () => undefined)
  }

  /** Whether it can take work now. */
  get isFree(): boolean {
    return this.ready && !this.gone && this.work === undefined
  }

  /** Gives it work. */
  take(work: Work): void {
    this.work = work
    this.next = 0
    this.keepAlive(true)
    this.startWatching()
    const { id, requests, scopeText } = work
    this.child.stdin.write(`${JSON.stringify({ id, requests })}\n${scopeText}\n`)
  }

  /** Ends it at once. */
  kill(why: Ended): void {
    this.why ??= why
    this.child.kill('SIGKILL')
  }

  /** An idle child does not keep the program from ending. */
  private keepAlive(busy: boolean): void {
    const handles: unknown[] = [this.child, this.child.stdin, this.child.stdout]
    for (const handle of handles) {
      if (hasRef(handle)) handle[busy ? 'ref' : 'unref']()
    }
  }

  private hear(line: string, onReady: () => void): void {
    const said = parseLine(line)
    if (!said) {
      this.kill(NONSENSE)
      return
    }
    if (said.kind === 'ready') {
      this.ready = true
      clearTimeout(this.startTimer)
      this.keepAlive(false)
      onReady()
      return
    }
    const { work } = this
    if (!work || said.id !== work.id || said.index !== this.next) return
    this.next += 1
    const isLast = this.next === work.requests.length
    if (said.leaving) {
      this.ready = false
      this.announced = true
    }
    if (isLast) {
      this.work = undefined
      this.stopWatching()
      if (!said.leaving) this.keepAlive(false)
    } else this.startWatching()
    work.onResult(said.index, said.result)
    if (isLast) work.onDone()
  }

  private startWatching(): void {
    this.began = performance.now()
    this.baseline = undefined
    this.watch ??= setInterval(() => this.look(), WATCH_MS)
  }

  private stopWatching(): void {
    clearInterval(this.watch)
    this.watch = undefined
  }

  /**
   * Looks at what the child takes. The limit is on the time that it has worked, so that a busy machine does not end
   * innocent evaluations; where that is not known, and as the last resort, it is on the clock on the wall.
   */
  private look(): void {
    const wall = performance.now() - this.began
    const usage = usageOf(this.child.pid ?? 0)
    const { timeoutMs, memoryMb } = this.limits
    if (usage && usage.rssBytes > memoryMb * 1024 * 1024) {
      this.kill({ code: 'expression.memory', message: 'The expression used too much memory.' })
      return
    }
    this.baseline ??= usage
    const worked = usage && this.baseline ? usage.cpuMs - this.baseline.cpuMs + WATCH_MS : wall
    if ((wall > timeoutMs && worked > timeoutMs) || wall > timeoutMs * WALL_FACTOR) {
      this.kill({ code: 'expression.timeout', message: 'The expression took too long.' })
    }
  }

  private leave(): void {
    if (this.gone) return
    this.gone = true
    clearTimeout(this.startTimer)
    this.stopWatching()
    const { work } = this
    this.work = undefined
    work?.onEnded(this.why ?? UNEXPECTED, this.announced)
    this.onGone()
  }
}

function hasRef(handle: unknown): handle is { ref: () => void; unref: () => void } {
  return typeof handle === 'object' && handle !== null && 'ref' in handle && 'unref' in handle
}

function parseLine(line: string): ChildLine | undefined {
  try {
    const said: unknown = JSON.parse(line)
    return isChildLine(said) ? said : undefined
  } catch {
    return undefined
  }
}
