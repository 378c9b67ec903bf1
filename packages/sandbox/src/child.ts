import { Evaluator } from './evaluator.ts'
import { readLines } from './lines.ts'
import { MAX_LINE_BYTES } from './protocol.ts'
import type { ChildLine, ChildSettings, JobLine } from './protocol.ts'

// The program of one child: jobs come in on standard input, results leave on standard output, one JSON text a line.

// Times are worked out in UTC wherever the machine stands.
process.env['TZ'] = 'UTC'

const settings: ChildSettings = JSON.parse(process.argv[2] ?? '{}')
const evaluator = await Evaluator.create(settings, () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
})

/** Writes a line and, for the last one, ends when it has left. */
function say(line: ChildLine, last = false): void {
  process.stdout.write(`${JSON.stringify(line)}\n`, () => {
    if (last) process.exit(0)
  })
}

let job: JobLine | undefined
let leaving = false

function work(line: string): void {
  if (leaving) return
  if (!job) {
    job = JSON.parse(line)
    return
  }
  const { id, requests } = job
  job = undefined
  for (const [index, request] of requests.entries()) {
    const evaluated = evaluator.evaluate(request, line)
    leaving = evaluated.leaving
    say({ kind: 'result', id, index, ...evaluated }, leaving)
    if (leaving) return
  }
}

readLines(process.stdin, work, { maxBytes: MAX_LINE_BYTES, onTooLong: () => process.exit(1) })
process.stdin.on('end', () => process.exit(0))

say({ kind: 'ready' })
