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
import { report, type BenchRow } from './support/server.ts'

/** `npm run bench`: every figure beside its bar, medians, on this machine. Names as arguments choose some. */
const ALL: Record<string, () => Promise<BenchRow[]>> = {
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
  loops,
}

const chosen = process.argv.slice(2)
let good = true
for (const [name, run] of Object.entries(ALL)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue
  console.log(`\n${name}`)
  good = report(await run()) && good
}
process.exitCode = good ? 0 : 1
