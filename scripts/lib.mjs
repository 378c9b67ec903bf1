// What start, agent and test share. Plain JavaScript without packages: it runs before anything is installed, on any Node from 20 on.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Node 24, as the lockfile pins it, whatever the machine has. */
export const NODE = join(
  ROOT,
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
)

/** Ends the program with one clear line. */
export function fail(line) {
  process.stderr.write(`weft: ${line}\n`)
  process.exit(1)
}

export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** Refuses a Node or a folder with which nothing can work. */
export function checkMachine() {
  const major = Number(process.versions.node.split('.')[0])
  if (major < 20) fail(`Node ${process.versions.node} is too old: Weft needs Node 20 or newer.`)
  try {
    accessSync(ROOT, constants.W_OK)
  } catch {
    fail(`the folder ${ROOT} cannot be written to; clone Weft to a place of your own.`)
  }
}

/** The environment in which the pinned Node comes first. */
export function environment(extra = {}) {
  const bin = join(ROOT, 'node_modules', '.bin')
  return { ...process.env, ...extra, PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` }
}

/** Runs a command to its end and gives its exit code; its output goes where `quiet` says. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: options.env ?? environment(),
      stdio: options.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    })
    let output = ''
    child.stdout?.on('data', (chunk) => (output += chunk))
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 127, output: String(error) }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

function hashOf(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** Installs the packages of the lockfile, unless they are there already. */
export async function ensurePackages() {
  await install('.', [])
  if (!existsSync(NODE)) fail('Node 24 could not be installed from the package "node".')
}

/** Installs the program of others on which an end-to-end test tries Weft. Nothing else needs it. */
export async function ensureOutsideApp() {
  await install('e2e/outside-app', ['--ignore-scripts', '--omit=optional'])
}

/** Installs what the lockfile of a folder says, unless it is there already. */
async function install(folder, options) {
  const at = join(ROOT, folder)
  const stamp = join(at, 'node_modules', '.weft-stamp')
  const wanted = hashOf([readFileSync(join(at, 'package-lock.json')), process.platform, process.arch])
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say(folder === '.' ? 'Installing packages…' : `Installing packages of ${folder}…`)
  const npm = process.env.npm_execpath
  const args = ['ci', '--prefix', at, '--no-audit', '--no-fund', '--loglevel=error', ...options]
  const { code, output } = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args], { quiet: true, env: process.env })
    : await run('npm', args, { quiet: true, env: process.env })
  if (code !== 0) fail(`the packages cannot be installed: ${lastLines(output)}`)
  writeFileSync(stamp, wanted)
}

function lastLines(text) {
  return text.trim().split('\n').slice(-3).join(' | ')
}

function* filesOf(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesOf(path)
    else yield path
  }
}

/** Builds the console, unless it was built from just these sources. */
export async function ensureConsole() {
  const dist = join(ROOT, 'apps', 'console', 'dist')
  const stamp = join(dist, '.stamp')
  const parts = [readFileSync(join(ROOT, 'package-lock.json'))]
  for (const folder of [
    'apps/console',
    'packages/contract/src',
    'packages/sandbox/src',
    'packages/workflow/src',
  ])
    for (const path of filesOf(join(ROOT, folder))) {
      const { size, mtimeMs } = statSync(path)
      parts.push(`${path}\n${size}\n${mtimeMs}\n`)
    }
  const wanted = hashOf(parts)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  say('Building the console…')
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  const { code, output } = await run(NODE, [vite, 'build', 'apps/console', '--logLevel', 'error'], {
    quiet: true,
  })
  if (code !== 0) fail(`the console cannot be built:\n${output}`)
  mkdirSync(dist, { recursive: true })
  writeFileSync(stamp, wanted)
}

const BROWSERS = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  'msedge',
  'firefox',
]

/** The path of a browser on this machine, or undefined. One that was named must be there. */
export function findBrowser() {
  const named = process.env.WEFT_BROWSER
  if (named) return existsSync(named) ? named : fail(`WEFT_BROWSER: there is no program ${named}.`)
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of BROWSERS) {
      const path = join(folder, name)
      if (folder && existsSync(path)) return path
    }
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return existsSync(mac) ? mac : undefined
}

/** Finds a browser, or installs Chromium where that can be done without asking; else says in one line what to do. */
export async function ensureBrowser() {
  if (findBrowser()) return
  const debian = existsSync('/etc/debian_version')
  const root = process.getuid?.() === 0
  if (debian && root) {
    say('Installing Chromium…')
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-q'], { quiet: true, env })
    const { code } = await run(
      'apt-get',
      ['install', '-yq', '--no-install-recommends', 'chromium', 'fonts-noto-core'],
      { quiet: true, env },
    )
    if (code === 0 && findBrowser()) return
  }
  const how = debian ? 'run "apt-get install chromium" as root' : 'install Chromium, Chrome, Edge or Firefox'
  say(
    `No browser was found, so the local agent can run nothing yet: ${how}, or set WEFT_BROWSER to its path.`,
  )
}

/** Runs a program of ours on Node 24 in the foreground: signals and exit code pass through. */
export function become(script, args, extra = {}) {
  const child = spawn(NODE, ['--disable-warning=ExperimentalWarning', join(ROOT, script), ...args], {
    cwd: ROOT,
    env: environment(extra),
    stdio: 'inherit',
  })
  // A signal from the terminal reaches the child by itself; one sent to this process alone is handed on.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGHUP'])
    process.on(signal, () => {
      if (!process.stdin.isTTY) child.kill(signal)
    })
  child.on('error', (error) => fail(String(error)))
  child.on('close', (code, signal) => {
    process.exitCode = signal ? 1 : (code ?? 1)
  })
}

/** Whether a program can be run at all, for checks that need one. */
export function has(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}
