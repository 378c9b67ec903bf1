import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testDatabase, testFolder } from './testing/cluster.ts'
import { startTestServer, type TestServer } from './testing/server.ts'

let server: TestServer
let folder: Awaited<ReturnType<typeof testFolder>>

beforeAll(async () => {
  folder = await testFolder()
  await mkdir(join(folder.path, 'assets'))
  await writeFile(join(folder.path, 'index.html'), '<!doctype html><title>WEFT</title>')
  await writeFile(join(folder.path, 'assets/main-abc.js'), 'console.log(1)')
  await writeFile(join(folder.path, 'assets/main-abc.js.gz'), gzipSync('console.log(1)'))
  server = await startTestServer({ consoleFolder: folder.path })
})
afterAll(async () => {
  await server.stop()
  await folder.remove()
})

const get = (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers })

describe('the console', () => {
  it('is served for every page path, fresh each time', async () => {
    for (const path of ['/', '/cms/campaign/list?page=2', '/auth/login', '/apidocs']) {
      const response = await get(path)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('no-cache')
      expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(await response.text()).toContain('WEFT')
    }
  })

  it('has files that are kept for ever and sent packed', async () => {
    const response = await get('/assets/main-abc.js', { 'accept-encoding': 'gzip' })
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(await response.text()).toBe('console.log(1)')
  })

  it('lets only the thread that shows what expressions give compile WebAssembly', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? ''
    expect(await policyOf('/assets/preview-worker-Ab_1-x.js')).toContain("'wasm-unsafe-eval'")
    for (const path of ['/', '/assets/main-abc.js', '/cms/assets/preview-worker-a.js', '/api-internal/x'])
      expect(await policyOf(path)).not.toContain('wasm')
  })

  it('is not sent where a file, a call or another method was asked for', async () => {
    for (const path of [
      '/assets/gone.js',
      '/favicon.ico',
      '/api-user/api/v1/nothing',
      '/hubs.js',
      '/metrics/x.txt',
    ])
      expect((await get(path)).status).toBe(404)
    expect((await fetch(`${server.url}/cms/campaign/list`, { method: 'POST' })).status).toBe(404)
  })

  it('stays within its folder', async () => {
    for (const path of [
      '/assets/..%2f..%2fetc/passwd',
      '/..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
    ])
      expect(await (await get(path)).text()).not.toContain('"version"')
  })
})

const described = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        responses: z.record(z.string(), z.looseObject({ description: z.string() })),
      }),
    ),
  ),
})

describe('the description of the calls', () => {
  it('is OpenAPI 3.1 of every mounted call', async () => {
    const document = (await (await get('/api-docs/json')).json()) as {
      openapi: string
      components: { schemas: Record<string, unknown> }
      paths: Record<
        string,
        Record<string, { operationId: string; security: unknown[]; parameters: { name: string }[] }>
      >
    }
    expect(document.openapi).toBe('3.1.0')
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(operations.map((one) => one.operationId).sort()).toEqual(
      server.app.endpoints.map((endpoint) => endpoint.name).sort(),
    )
    const list = document.paths['/api-campaign/api/v1/campaign/items/{id}']?.['get']
    expect(list?.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['id', 'page', 'perPage', 'q']),
    )
    expect(list?.security).toEqual([{ bearer: [] }])
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(
      ([, name]) => name,
    )
    expect(refs).toContain('Error')
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining([...new Set(refs)]))
    expect(JSON.stringify(document).includes('$defs')).toBe(false)
  })

  it('is valid, and names the failures of every call', async () => {
    const document = await (await get('/api-docs/json')).json()
    const verdict = await new Validator().validate(structuredClone(document))
    expect(verdict.errors).toBeUndefined()
    expect(verdict.valid).toBe(true)
    const { paths } = described.parse(document)
    for (const operations of Object.values(paths))
      for (const { operationId, responses } of Object.values(operations))
        expect([operationId, Object.keys(responses)]).toEqual([
          operationId,
          expect.arrayContaining(['200', '422', '429', '500', '503']),
        ])
    const update = paths['/api-elsa/api/v1/elsa/project/update']?.['post']?.responses
    expect(Object.keys(update ?? {})).toEqual(expect.arrayContaining(['401', '403', '404', '409', '415']))
    expect(update?.['409']?.description).toContain('`record.stale`')
  })

  it('is shown on a page that loads nothing from elsewhere', async () => {
    const html = await (await get('/api-docs')).text()
    expect(html).not.toMatch(/https?:/)
    expect((await get('/api-docs/page.js')).headers.get('content-type')).toContain('text/javascript')
    expect((await get('/api-docs/page.css')).status).toBe(200)
  })
})

describe('the other addresses', () => {
  it('tell of health', async () => {
    expect(await (await get('/health/live')).json()).toEqual({ status: 'live' })
    expect(await (await get('/health/ready')).json()).toEqual({ status: 'ready' })
  })

  it('tell of a database that is away, or only keeps one waiting, while the process lives', async () => {
    const database = await testDatabase()
    await using alone = await startTestServer({ database })
    const ready = () => fetch(`${alone.url}/health/ready`)
    const pool = alone.deps.pool
    const held = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    const begun = performance.now()
    expect((await ready()).status).toBe(503)
    expect(performance.now() - begun).toBeLessThan(10_000)
    for (const client of held) client.release()
    await expect.poll(async () => (await ready()).status).toBe(200)
    await database.drop()
    const away = await ready()
    expect(away.status).toBe(503)
    expect(await away.json()).toEqual({ status: 'waiting for the database' })
    expect((await fetch(`${alone.url}/health/live`)).status).toBe(200)
  })

  it('show a proxy’s exit', async () => {
    expect(await (await get('/check')).json()).toMatchObject({ address: '127.0.0.1' })
  })

  it('give figures to this machine only, or to who may view the system', async () => {
    await get('/api-internal/api/v1/system/system-config')
    expect(await (await get('/metrics')).text()).toContain(
      'weft_call_seconds_count{call="system.config",status="2xx"}',
    )
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }
    expect((await get('/metrics', forwarded)).status).toBe(401)
    const viewer = await server.as('viewer')
    const admin = await server.as('administrator')
    expect((await get('/metrics', { ...forwarded, authorization: `Bearer ${viewer.token}` })).status).toBe(
      403,
    )
    expect((await get('/metrics', { ...forwarded, authorization: `Bearer ${admin.token}` })).status).toBe(200)
  })
})
