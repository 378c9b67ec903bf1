import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { AgentExit, EXIT } from './exit-codes.ts'
import { LOG_LEVELS } from './log.ts'

const settingsSchema = z.strictObject({
  server: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .transform((url) => url.replace(/\/+$/, ''))
    .optional(),
  join: z.string().min(1).max(200).optional(),
  data: z
    .string()
    .min(1)
    .transform((folder) => resolve(folder)),
  slots: z.coerce.number({ error: 'must be a number' }).int().min(1).max(64),
  name: z.string().trim().min(1).max(120),
  labels: z
    .string()
    .transform((text) => text.split(',').map((label) => label.trim()))
    .transform((labels) => labels.filter((label) => label !== ''))
    .pipe(z.array(z.string().max(40)).max(30)),
  browser: z.string().min(1).optional(),
  'log-level': z.enum(LOG_LEVELS),
})

/** Everything that the start of the program decides. */
export interface Settings {
  /** Needed for the first start; kept with the identity afterwards. */
  server: string | undefined
  joinCode: string | undefined
  dataDir: string
  slots: number
  name: string
  labels: string[]
  /** Path of the browser; otherwise it is found. */
  browser: string | undefined
  logLevel: (typeof LOG_LEVELS)[number]
}

/** One line a setting, for `--help`. */
export const HELP = `Weft agent: runs workflows on this machine for a Weft server.

  --server URL      WEFT_SERVER           address of the server (first start)
  --join CODE       WEFT_JOIN_CODE        one-time code from "Add client" (first start)
  --data DIR        WEFT_AGENT_DATA_DIR   folder for identity, journals and files (./agent-data)
  --slots N         WEFT_SLOTS            how many runs at a time (2)
  --name NAME       WEFT_AGENT_NAME       how the console calls this client (the host name)
  --labels A,B      WEFT_LABELS           labels that campaigns may ask for
  --browser PATH    WEFT_BROWSER          browser to use (otherwise found)
  --log-level L     WEFT_LOG_LEVEL        debug, info, warn, error or silent (info)

A file policy.json in the data folder may allow less than the server does.`

const ENVIRONMENT = {
  server: 'WEFT_SERVER',
  join: 'WEFT_JOIN_CODE',
  data: 'WEFT_AGENT_DATA_DIR',
  slots: 'WEFT_SLOTS',
  name: 'WEFT_AGENT_NAME',
  labels: 'WEFT_LABELS',
  browser: 'WEFT_BROWSER',
  'log-level': 'WEFT_LOG_LEVEL',
} as const

/** Reads arguments first, then the environment, then defaults. `help` when asked for; throws `AgentExit` on a wrong one. */
export function readSettings(args: string[], env: NodeJS.ProcessEnv): Settings | 'help' {
  const given = readArguments(args)
  if (given['help'] === true) return 'help'
  const defaults = {
    data: 'agent-data',
    slots: '2',
    name: hostname() || 'client',
    labels: '',
    'log-level': 'info',
  }
  const values: Record<string, unknown> = { ...defaults }
  for (const [name, variable] of Object.entries(ENVIRONMENT)) {
    const value = given[name] ?? env[variable]
    if (value !== undefined && value !== '') values[name] = value
  }
  const parsed = settingsSchema.safeParse(values)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new AgentExit(EXIT.settings, `--${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'wrong value'}`)
  }
  const { server, join, data, slots, name, labels, browser, 'log-level': logLevel } = parsed.data
  return { server, joinCode: join, dataDir: data, slots, name, labels, browser, logLevel }
}

function readArguments(args: string[]): Record<string, string | boolean | undefined> {
  const text = { type: 'string' } as const
  try {
    const names = Object.keys(ENVIRONMENT).map((name) => [name, text] as const)
    return parseArgs({
      args,
      options: { ...Object.fromEntries(names), help: { type: 'boolean' } },
      strict: true,
      allowPositionals: false,
    }).values
  } catch (error) {
    throw new AgentExit(EXIT.settings, error instanceof Error ? error.message : String(error))
  }
}
