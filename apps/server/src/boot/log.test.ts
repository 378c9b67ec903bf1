import { Writable } from 'node:stream'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { openLog } from './log.ts'

function captured() {
  let text = ''
  const out = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  return { log: openLog({ logLevel: 'debug' }, out), text: () => text }
}

it('keeps secrets out of the log', () => {
  const { log, text } = captured()
  log.info({ password: 'hunter2', deep: { token: 'hunter2', authorization: 'Bearer hunter2' } }, 'words')
  log.info({ req: { id: '1', method: 'GET', url: '/hub?access_token=hunter2' } }, 'asked')
  expect(text()).not.toContain('hunter2')
  expect(text()).toContain('"path":"/hub"')
})

it('keeps the values of failed statements out of the log', async () => {
  const { log, text } = captured()
  const pool = new Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 500 })
  const error: unknown = await drizzle(pool)
    .execute(sql`select ${'hunter2'}::text`)
    .catch((thrown: unknown) => thrown)
  await pool.end()
  log.error({ err: error }, 'failed')
  expect(text()).toContain('Failed query')
  expect(text()).toContain('ECONNREFUSED')
  expect(text()).not.toContain('hunter2')
})
