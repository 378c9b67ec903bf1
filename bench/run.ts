import { run as canvas } from './canvas.ts'
import { run as crash } from './crash.ts'
import { run as engine } from './engine.ts'
import { run as hub } from './hub.ts'
import { run as resources } from './resources.ts'
import { run as scroll } from './resources-scroll.ts'
import { run as revocation } from './revocation.ts'
import { run as signIns } from './sign-ins.ts'
import { run as start } from './start.ts'
import { run as upload } from './upload.ts'
import { run as loops } from './loops.ts'
import { run as preview } from './preview.ts'
import { report, type BenchRow } from './support/server.ts'

/**
 * `npm run bench`: every figure beside its bar, medians, on this machine. Names as arguments choose some; what is no name
 * chooses parts of those that have any, as in `npm run bench:resources -- lists`.
 */
const ALL: Record<string, (parts: readonly string[]) => Promise<BenchRow[]>> = {
  start,
  engine,
  hub,
  crash,
  revocation,
  resources,
  scroll,
  'sign-ins': signIns,
  upload,
  canvas,
  preview,
  loops,
}

const given = process.argv.slice(2)
const chosen = given.filter((name) => name in ALL)
const parts = given.filter((name) => !(name in ALL))
let good = true
for (const [name, run] of Object.entries(ALL)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.log(`\n${name}`)
  good = report(await run(parts)) && good
}
process.exitCode = good ? 0 : 1
