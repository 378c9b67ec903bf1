import { chromium } from 'playwright-core'
import { readFileSync, existsSync } from 'node:fs'
import { BenchServer, ADMIN } from './bench/support/server.ts'
import { TraceMap, originalPositionFor } from '@jridgewell/trace-mapping'
const DIST = '/tmp/lead/apps/console/dist'
const server = await BenchServer.start()
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
})
const ctx = await browser.newContext({ viewport: { width: 412, height: 823 } })
const page = await ctx.newPage()
await page.goto(`${server.url}/auth/login`)
await page.locator('input[name=username]').fill(ADMIN.username)
await page.locator('input[name=password]').fill(ADMIN.password)
await page.locator('button[type=submit]').click()
await page.waitForURL('**/dashboard')
await page.waitForTimeout(1500)
const cdp = await ctx.newCDPSession(page)
await cdp.send('Profiler.enable')
await cdp.send('Profiler.setSamplingInterval', { interval: 200 })
const maps = new Map<string, any>()
for (const path of process.argv.slice(2)) {
  const runs: any[] = []
  const self: Record<string, number> = {}
  const N = 4
  for (let i = 0; i < N; i++) {
    // trace
    const events: any[] = []
    cdp.on('Tracing.dataCollected', (d: any) => events.push(...d.value))
    await cdp.send('Tracing.start', {
      categories: 'devtools.timeline,toplevel,disabled-by-default-devtools.timeline',
      transferMode: 'ReportEvents',
    } as any)
    await page.goto(server.url + path)
    await page.locator('main h1').first().waitFor()
    await page.waitForTimeout(2000)
    const done = new Promise((r) => cdp.once('Tracing.tracingComplete', r as any))
    await cdp.send('Tracing.end')
    await done
    cdp.removeAllListeners('Tracing.dataCollected')
    const main = events.find((e) => e.name === 'FunctionCall' || e.name === 'EvaluateScript')
    const tasks = events
      .filter(
        (e) =>
          e.tid === main.tid &&
          e.pid === main.pid &&
          e.ph === 'X' &&
          (e.name === 'RunTask' || e.name === 'ThreadControllerImpl::RunTask'),
      )
      .map((e) => (e.tdur ?? e.dur) / 1000)
    const sum = (n: string) =>
      events
        .filter((e) => e.tid === main.tid && e.pid === main.pid && e.ph === 'X' && e.name === n)
        .reduce((s, e) => s + (e.tdur ?? e.dur) / 1000, 0)
    runs.push({
      total: tasks.reduce((a, b) => a + b, 0),
      tbt4: tasks.map((t) => Math.max(0, t * 4 - 50)).reduce((a, b) => a + b, 0),
      top: tasks
        .sort((a, b) => b - a)
        .slice(0, 8)
        .map((t) => +t.toFixed(1)),
      layout: sum('Layout'),
      style: sum('UpdateLayoutTree'),
      evalS: sum('EvaluateScript'),
      compile: sum('v8.compile') + sum('v8.compileModule'),
      parseHtml: sum('ParseHTML'),
      paint: sum('Paint'),
      gc: sum('MinorGC') + sum('MajorGC'),
    })
  }
  for (const r of runs)
    console.log(
      path,
      JSON.stringify(r, (k, v) => (typeof v === 'number' ? +v.toFixed(1) : v)),
    )
  for (let i = 0; i < N; i++) {
    await cdp.send('Profiler.start')
    await page.goto(server.url + path)
    await page.locator('main h1').first().waitFor()
    await page.waitForTimeout(1500)
    const { profile } = (await cdp.send('Profiler.stop')) as any
    const byId = new Map(profile.nodes.map((n: any) => [n.id, n]))
    profile.samples.forEach((id: number, k: number) => {
      const n: any = byId.get(id)
      const dt = profile.timeDeltas[k] / 1000
      let key = n.callFrame.functionName || '(anon)'
      if (n.callFrame.url) {
        const f = new URL(n.callFrame.url).pathname
        if (!maps.has(f))
          maps.set(
            f,
            existsSync(DIST + f + '.map') ? new TraceMap(readFileSync(DIST + f + '.map', 'utf8')) : null,
          )
        const m = maps.get(f)
        if (m && n.callFrame.lineNumber >= 0) {
          const o = originalPositionFor(m, {
            line: n.callFrame.lineNumber + 1,
            column: n.callFrame.columnNumber,
          })
          key = (o.source ?? f).replace(/^(\.\.\/)+/, '').replace('node_modules/', '') + ':' + (o.name ?? key)
        } else key = f + ':' + key
      }
      if (key === '(idle)' || key === '(program)') {
        self[key] = (self[key] ?? 0) + dt
        return
      }
      self[key] = (self[key] ?? 0) + dt
    })
  }
  const groups: Record<string, number> = {}
  for (const [k, v] of Object.entries(self)) {
    const g = k.startsWith('(')
      ? k
      : k.startsWith('src/') || k.startsWith('packages') || k.startsWith('apps')
        ? k.split(':')[0].split('/').slice(0, 4).join('/')
        : k
            .split('/')
            .slice(0, k.startsWith('@') ? 2 : 1)
            .join('/')
            .split(':')[0]
    groups[g] = (groups[g] ?? 0) + v
  }
  console.log(
    'groups',
    Object.entries(groups)
      .sort((a, b) => b[1] - a[1])
      .slice(0, 22)
      .map(([k, v]) => `${k} ${(v / N).toFixed(1)}`)
      .join('\n  '),
  )
  console.log(
    'funcs',
    Object.entries(self)
      .filter(([k]) => !k.startsWith('('))
      .sort((a, b) => b[1] - a[1])
      .slice(0, 40)
      .map(([k, v]) => `${k} ${(v / N).toFixed(1)}`)
      .join('\n  '),
  )
}
await browser.close()
await server.stop()
