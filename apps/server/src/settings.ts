import { resolve } from 'node:path'
import { z } from 'zod'

/** What a process can be: several roles may share one process, or stand apart on one database. */
export const ROLES = ['web', 'hub', 'scheduler', 'worker'] as const
export type ProcessRole = (typeof ROLES)[number]

/** Settings of the agent and of developers' tools, which may stand in the same environment. */
const OF_OTHERS = [
  'WEFT_SERVER',
  'WEFT_JOIN_CODE',
  'WEFT_AGENT_DATA_DIR',
  'WEFT_AGENT_NAME',
  'WEFT_LABELS',
  'WEFT_DEV_SERVER',
  'WEFT_TEST_LOG',
]

const wholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
  .transform(Number)
const port = wholeNumber.pipe(z.number().max(65_535))
const text = z.string().trim().min(1)

const variables = z.object({
  WEFT_PORT: port.default(4600),
  WEFT_HOST: text.default('127.0.0.1'),
  WEFT_DATA_DIR: text.default('./data').transform((path) => resolve(path)),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, { error: 'must begin with postgres://' })
    .optional(),
  WEFT_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  WEFT_ADMIN_USERNAME: text.optional(),
  WEFT_ADMIN_PASSWORD: z.string().min(8).max(256).optional(),
  WEFT_KEY_FILE: text.transform((path) => resolve(path)).optional(),
  WEFT_ROLES: text
    .transform((list) => list.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES)).min(1))
    .default([...ROLES]),
  WEFT_LOCAL_AGENT: z.stringbool().default(true),
  WEFT_SLOTS: wholeNumber.pipe(z.number().min(1).max(64)).default(2),
  WEFT_PRACTICE_PORT: port.default(4601),
  WEFT_BROWSER: text.optional(),
  WEFT_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})

const environment = variables
  .refine((env) => (env.WEFT_ADMIN_USERNAME === undefined) === (env.WEFT_ADMIN_PASSWORD === undefined), {
    path: ['WEFT_ADMIN_PASSWORD'],
    error: 'WEFT_ADMIN_USERNAME and WEFT_ADMIN_PASSWORD must be set together',
  })
  .refine((env) => env.WEFT_PRACTICE_PORT === 0 || env.WEFT_PRACTICE_PORT !== env.WEFT_PORT, {
    path: ['WEFT_PRACTICE_PORT'],
    error: 'must be another port than WEFT_PORT',
  })

/** The settings of this process, from its environment. Everything else is in System Config. */
export interface Settings {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  /** Where people reach the console; without one, the address it listens on. No slash at its end. */
  publicUrl: string
  administrator: { username: string; password: string } | undefined
  keyFile: string
  roles: ReadonlySet<ProcessRole>
  localAgent: boolean
  slots: number
  practicePort: number
  browser: string | undefined
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
}

/** A start that cannot go on: its message is the one clear line to print before leaving with code 1. */
export class StartError extends Error {
  override name = 'StartError'
}

/** Text of another program within one line. */
export function oneLine(said: string): string {
  return said.trim().replaceAll(/\s*\n\s*/g, ' | ')
}

/** Reads the settings, or throws a `StartError` that names every wrong one. An empty variable counts as unset. */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const unknown = Object.keys(given).filter((name) => name.startsWith('WEFT_') && !KNOWN.has(name))
  if (unknown.length > 0) throw new StartError(`Unknown setting: ${unknown.map(withNearest).join('; ')}`)
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path[0]?.toString() ?? '?'}: ${issue.message}`)
    throw new StartError(`Wrong setting: ${wrong.join('; ')}`)
  }
  const it = parsed.data
  return {
    port: it.WEFT_PORT,
    host: it.WEFT_HOST,
    dataDir: it.WEFT_DATA_DIR,
    databaseUrl: it.DATABASE_URL,
    publicUrl: (it.WEFT_PUBLIC_URL ?? defaultUrl(it.WEFT_HOST, it.WEFT_PORT)).replace(/\/+$/, ''),
    administrator:
      it.WEFT_ADMIN_USERNAME !== undefined && it.WEFT_ADMIN_PASSWORD !== undefined
        ? { username: it.WEFT_ADMIN_USERNAME, password: it.WEFT_ADMIN_PASSWORD }
        : undefined,
    keyFile: it.WEFT_KEY_FILE ?? resolve(it.WEFT_DATA_DIR, 'key'),
    roles: new Set(it.WEFT_ROLES),
    localAgent: it.WEFT_LOCAL_AGENT,
    slots: it.WEFT_SLOTS,
    practicePort: it.WEFT_PRACTICE_PORT,
    browser: it.WEFT_BROWSER,
    logLevel: it.WEFT_LOG_LEVEL,
  }
}

const KNOWN = new Set([...Object.keys(variables.shape), ...OF_OTHERS])

/** A setting's name with the one that was probably meant. */
function withNearest(name: string): string {
  const near = Object.keys(variables.shape).find((one) => distance(one, name) <= 2)
  return near === undefined ? name : `${name} (did you mean ${near}?)`
}

/** How many letters must be added, removed or changed to make one text the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** An address a person can open: one that listens everywhere is reached on this machine as localhost. */
function defaultUrl(host: string, portNumber: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${portNumber}`
}
