import { eq } from 'drizzle-orm'
import { AVATAR_TYPES, avatars } from '@weft/contract/access/avatar/api'
import { stream } from '../../../kit/answers.ts'
import { AppError } from '../../../kit/app-error.ts'
import type { CallContext } from '../../../kit/context.ts'
import type { Deps } from '../../../kit/deps.ts'
import { prepared, type Implementation } from '../../../kit/implement.ts'
import { findRecord } from '../../../kit/record.ts'
import { contentTypeOf } from '../../files/content-type.ts'
import { USERS } from '../people.ts'
import { avatar } from './table.ts'

/** As many characters of the hash as tell a person's pictures apart. */
const VERSION_LENGTH = 16

/** The pictures that people show of themselves. */
export function avatarHandlers({ now }: Pick<Deps, 'now'>): Implementation<typeof avatars> {
  const changed = (ctx: CallContext, after: object) => {
    const { id } = ctx.user
    ctx.audit({ feature: 'users', recordId: id, after })
    ctx.event({ feature: 'users', id, kind: 'updated', ownerId: id })
  }

  return {
    set: prepared(
      avatars.set,
      async ({ body }) => {
        const bytes = Buffer.from(await body.bytes())
        const contentType = contentTypeOf(bytes)
        // What it is, is told by its bytes; what a browser would run is never among these.
        if (!AVATAR_TYPES.some((type) => type === contentType))
          throw new AppError('request.unsupported_type', { expected: AVATAR_TYPES.join(', ') })
        return { bytes, contentType, hash: body.sha256.slice(0, VERSION_LENGTH) }
      },
      async (ctx, _input, picture) => {
        const row = { ...picture, updatedAt: now() }
        await ctx.tx
          .insert(avatar)
          .values({ userId: ctx.user.id, ...row })
          .onConflictDoUpdate({ target: avatar.userId, set: row })
        changed(ctx, { avatar: picture.hash })
        return { avatar: picture.hash }
      },
    ),

    async remove(ctx) {
      await ctx.tx.delete(avatar).where(eq(avatar.userId, ctx.user.id))
      changed(ctx, { avatar: null })
    },

    async get(ctx, { id, v }) {
      if (id !== ctx.user.id) await findRecord(ctx, USERS, id)
      const [row] = await ctx.tx.select().from(avatar).where(eq(avatar.userId, id))
      if (!row) throw new AppError('record.not_found')
      const isThis = v === row.hash
      return stream({
        contentType: row.contentType,
        length: row.bytes.length,
        headers: {
          etag: `"${row.hash}"`,
          'cache-control': isThis ? 'private, max-age=31536000, immutable' : 'private, no-cache',
          'content-disposition': 'inline',
          'x-content-type-options': 'nosniff',
          // Looked at by itself it may do nothing at all.
          'content-security-policy': "default-src 'none'; sandbox",
        },
        body: once(row.bytes),
      })
    },
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
