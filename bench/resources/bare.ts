import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Pool } from 'pg'

/** The other side of the list's figure: Fastify and pg with nothing between them, answering the same page without a count. */
const requireOfServer = createRequire(join(import.meta.dirname, '../../apps/server/package.json'))
const { default: Fastify } = (await import(requireOfServer.resolve('fastify'))) as typeof import('fastify')

const [host = ''] = process.argv.slice(2)
const pool = new Pool({ host, port: 5432, database: 'weft', user: 'weft', max: 24 })
const app = Fastify()

const PAGE = `select id, owner_id, created_at, created_by, updated_at, version, tags, notes, type, username, display_name, email,
  channel_name, profile_id, proxy_id, phone_id, allowed_domains, limits, ownership, status, password is not null as password,
  totp_seed is not null as totp_seed, recovery_codes is not null as recovery_codes, last_used_at, last_error
  from account where deleted_at is null order by created_at desc, id desc limit 25`

app.get('/accounts', async () => {
  const { rows } = await pool.query<object>({ name: 'page', text: PAGE })
  return { status: 'Success', data: rows }
})

await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
process.send?.(typeof address === 'object' && address !== null ? address.port : 0)
