// `npm test`: every check, from types to end-to-end, in one go. The last line is `N passed, N failed`.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import {
  checkMachine,
  ensureBrowser,
  ensureConsole,
  ensureOutsideApp,
  ensurePackages,
  NODE,
  ROOT,
  run,
  say,
} from './lib.mjs'

checkMachine()
await Promise.all([ensurePackages(), ensureBrowser()])

const REPORTS = join(ROOT, 'test-results')
rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })
let passed = 0
let failed = 0
/** The names of tests that failed, told once more at the end: what is far above is not seen. */
const failures = []
/**
 * Tests that passed only when tried once more. On a machine that does other things besides, one of some thousand may
 * come too late; who looks at the end sees which, and why, and mends it.
 */
const unsure = []
const TRIES_MORE = 1

const bin = (path) => join(ROOT, 'node_modules', path)
const STAGES = [
  { name: 'types', tool: 'typescript/bin/tsc', args: ['-p', 'tsconfig.json'] },
  { name: 'types of the console', tool: 'typescript/bin/tsc', args: ['-p', 'apps/console/tsconfig.json'] },
  { name: 'lint', tool: 'oxlint/bin/oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'format', tool: 'oxfmt/bin/oxfmt', args: ['--check', '.'] },
  { name: 'unit', vitest: 'unit' },
  { name: 'integration', vitest: 'integration' },
  { name: 'console', build: true },
  { name: 'first load', script: 'apps/console/scripts/budget.mjs' },
  { name: 'end to end', playwright: true },
]
const only = process.argv.slice(2)
const isWanted = ({ name }) => only.length === 0 || only.includes(name)
// Awaited where it is needed: the other stages can begin without it.
const outsideApp = STAGES.some((stage) => stage.playwright && isWanted(stage)) ? ensureOutsideApp() : null

for (const stage of STAGES) {
  if (!isWanted(stage)) continue
  const started = Date.now()
  say(`\n▸ ${stage.name}`)
  const before = failed
  if (stage.vitest) await vitest(stage.vitest)
  else if (stage.playwright) await playwright()
  else if (stage.build) {
    await ensureConsole()
    passed += 1
  } else await single(stage)
  say(`${failed === before ? '✓' : '✗'} ${stage.name} (${Math.round((Date.now() - started) / 1000)} s)`)
}
for (const { name, why } of unsure) say(`~ ${name} (passed when tried once more)\n${why}`)
for (const name of failures) say(`✗ ${name}`)
say(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0

async function single({ tool, args, script }) {
  const { code } = await run(NODE, script ? [join(ROOT, script)] : [bin(tool), ...args])
  if (code === 0) passed += 1
  else failed += 1
}

/** Counts from a JSON report; a run that wrote none counts as one failure. */
function count(file, read) {
  if (!existsSync(file)) {
    failed += 1
    return
  }
  const [good, bad, names] = read(JSON.parse(readFileSync(file, 'utf8')))
  passed += good
  failed += bad
  failures.push(...names)
}

async function vitest(project) {
  const file = join(REPORTS, `${project}.json`)
  const { code } = await run(NODE, [
    bin('vitest/vitest.mjs'),
    'run',
    '--project',
    project,
    `--retry=${TRIES_MORE}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  const before = failed
  count(file, (report) => [
    report.numPassedTests,
    report.numFailedTests,
    report.testResults.flatMap(({ name, status, assertionResults }) => {
      const bad = assertionResults.filter((one) => one.status === 'failed')
      for (const one of assertionResults.filter((other) => other.status === 'passed'))
        for (const why of one.failureMessages.slice(0, 1))
          unsure.push({ name: `${relative(ROOT, name)} › ${one.fullName}`, why })
      if (bad.length === 0) return status === 'failed' ? [relative(ROOT, name)] : []
      return bad.map((one) => `${relative(ROOT, name)} › ${one.fullName}`)
    }),
  ])
  // A suite that could not even be loaded fails no single test.
  if (code !== 0 && failed === before) failed += 1
}

async function playwright() {
  await outsideApp
  const file = join(REPORTS, 'e2e.json')
  const env = { ...process.env, PLAYWRIGHT_JSON_OUTPUT_NAME: file }
  const { code } = await run(
    NODE,
    [bin('@playwright/test/cli.js'), 'test', '-c', 'e2e/playwright.config.ts', `--retries=${TRIES_MORE}`],
    { env },
  )
  const before = failed
  const nameOf = (spec) => `e2e/${spec.file} › ${spec.title}`
  const specsIn = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsIn)]
  count(file, (report) => {
    const specs = specsIn(report)
    for (const spec of specs)
      for (const { results } of spec.tests.filter(({ status }) => status === 'flaky'))
        unsure.push({ name: nameOf(spec), why: results[0]?.error?.message ?? '' })
    const { expected, flaky, unexpected } = report.stats
    return [expected + flaky, unexpected, specs.filter(({ ok }) => !ok).map(nameOf)]
  })
  if (code !== 0 && failed === before) failed += 1
}
