import { resolve } from 'node:path'
import { z } from 'zod'
import { startPractice } from './site.ts'

const environmentSchema = z.object({
  WEFT_HOST: z.string().min(1).default('127.0.0.1'),
  WEFT_PRACTICE_PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.number().max(65_535))
    .default(4601),
  WEFT_DATA_DIR: z.string().min(1).default('./data'),
})

function fail(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

function explain(error: unknown, at: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `Practice site: ${at} is in use; set WEFT_PRACTICE_PORT to another port.`
  if (code === 'EACCES' || code === 'EROFS')
    return `Practice site: no right to write or listen (${String(error)}).`
  return `Practice site: ${error instanceof Error ? error.message : String(error)}`
}

const environment = environmentSchema.safeParse(process.env)
if (!environment.success) {
  const names = environment.error.issues.map((issue) => issue.path.join('.'))
  fail(`Practice site: wrong setting in ${names.join(', ')}.`)
}
const { WEFT_HOST: host, WEFT_PRACTICE_PORT: port, WEFT_DATA_DIR: dataDir } = environment.data

const practice = await startPractice({
  host,
  port,
  dataDir: resolve(dataDir),
  log: (message, details) => process.stderr.write(`${JSON.stringify({ message, ...details })}\n`),
}).catch((error: unknown) => fail(explain(error, `${host}:${port}`)))

process.stdout.write(`Practice site ready at ${practice.url}\n`)

let stopping = false
async function stop(): Promise<void> {
  if (stopping) return
  stopping = true
  await practice.close()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
