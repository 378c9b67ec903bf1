import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errorBody } from '../http/errors.ts'
import { dropConnection, losesAnswer } from '../http/faults.ts'
import { SiteError } from '../http/site-error.ts'
import { withoutTries } from '../http/tries.ts'
import { recordOf, visitOf } from '../http/visit.ts'
import type { Site } from '../pages/site.ts'
import { categorySchema, formatNumber, newNoticeSchema, type Notice, parseNumber } from '../store/notice.ts'

const filterShape = {
  q: z.string().max(200).optional(),
  title: z.string().max(200).optional(),
  account: z.string().max(64).optional(),
  category: categorySchema.optional(),
  since: z.coerce.number().int().min(0).optional(),
}
const listSchema = z.strictObject({
  ...filterShape,
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(200).default(20),
})
const countSchema = z.strictObject({
  ...filterShape,
  by: z.enum(['account', 'title', 'category']).default('account'),
})

function present(notice: Notice, base: string): object {
  const { picture, via, ...rest } = notice
  return {
    ...rest,
    id: formatNumber(notice.number),
    url: `${base}/notices/${notice.number}`,
    picture: picture && { url: `${base}/pictures/${picture.file}`, type: picture.type, bytes: picture.bytes },
    seeded: via === 'seed',
  }
}

/** Reading and posting notices as JSON, and the count that tests check "exactly once" with. */
export function addNoticeCalls(app: FastifyInstance, { store }: Site): void {
  app.get('/api/notices', async (request) => {
    const { page, size, q, ...filter } = listSchema.parse(withoutTries(recordOf(request.query)))
    const found = store.board.list({ ...filter, text: q })
    const base = `${request.protocol}://${request.host}`
    return {
      notices: found.slice((page - 1) * size, page * size).map((notice) => present(notice, base)),
      page,
      size,
      total: found.length,
    }
  })

  app.get('/api/notices/count', async (request) => {
    const { by, q, ...filter } = countSchema.parse(withoutTries(recordOf(request.query)))
    const found = store.board.list({ ...filter, text: q, seeded: false }).toReversed()
    const groups = Object.entries(Object.groupBy(found, (notice) => notice[by] ?? ''))
      .map(([key, notices = []]) => ({
        key,
        count: notices.length,
        numbers: notices.map(({ number }) => number),
      }))
      .sort((left, right) => left.key.localeCompare(right.key))
    return { by, total: found.length, groups, repeated: groups.filter((group) => group.count > 1).length }
  })

  app.get<{ Params: { number: string } }>('/api/notices/:number', async (request) => {
    const number = parseNumber(request.params.number)
    const notice = number === null ? undefined : store.board.get(number)
    if (!notice) throw new SiteError(404, 'not_found')
    return present(notice, `${request.protocol}://${request.host}`)
  })

  app.post('/api/notices', async (request, reply) => {
    const visit = visitOf(request)
    if (!visit.account) {
      void reply.header('www-authenticate', 'Bearer')
      return await reply.code(401).send(errorBody('unauthorized', 'A bearer token is needed.'))
    }
    const input = newNoticeSchema.parse(request.body)
    const { username, displayName } = visit.account
    const posted = await store.board.post({ ...input, account: username, author: displayName, via: 'api' })
    if (losesAnswer(visit, store, username)) {
      dropConnection(request, reply)
      return reply
    }
    const told = visit.wrongNumber ? { ...posted, number: posted.number + 1 } : posted
    return await reply.code(201).send(present(told, `${request.protocol}://${request.host}`))
  })
}
