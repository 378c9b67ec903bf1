import { createHmac, timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { videos } from '@weft/contract/videos/api'
import { isOpen } from '../access/conditions.ts'
import { personOf } from '../access/identities.ts'
import { session } from '../access/table.ts'
import type { CallContext, PublicContext, SignedInUser } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'

const PLAY_COOKIE = 'weft-play'
const GOOD_FOR_MS = 6 * 3_600_000

/** Where a video's content is read; its cookie goes nowhere else. */
const contentPath = (id: string) => videos.content.path.replace('{id}', id)

/**
 * Lets a player read one video. A player cannot send the token of the console, so its right travels in a cookie for this
 * one address; it is worth no more than the session it was given to, which is asked anew each time.
 */
export function giveTicket(ctx: CallContext, deps: Pick<Deps, 'secrets' | 'now' | 'settings'>, id: string) {
  const expires = deps.now().getTime() + GOOD_FOR_MS
  const body = `${ctx.sessionId}.${expires}`
  ctx.http.setCookie(PLAY_COOKIE, `${body}.${sign(deps, id, body)}`, {
    httpOnly: true,
    secure: deps.settings.publicUrl.startsWith('https:'),
    sameSite: 'strict',
    path: contentPath(id),
    maxAgeSeconds: GOOD_FOR_MS / 1000,
  })
  return { url: contentPath(id), expiresAt: new Date(expires).toISOString() }
}

/** Who holds a good ticket for this video: the person of its session, as long as that is open. */
export async function holderOf(
  ctx: Pick<PublicContext, 'tx' | 'http'>,
  deps: Pick<Deps, 'secrets' | 'now'>,
  id: string,
): Promise<SignedInUser | null> {
  const found = /^([0-9a-f-]{36})\.(\d{13})\.([\w-]{43})$/.exec(ctx.http.cookie(PLAY_COOKIE) ?? '')
  const [, sessionId = '', expires = '', signature = ''] = found ?? []
  const now = deps.now()
  if (!found || Number(expires) < now.getTime()) return null
  const right = Buffer.from(sign(deps, id, `${sessionId}.${expires}`))
  if (!timingSafeEqual(right, Buffer.from(signature))) return null
  const [open] = await ctx.tx
    .select({ id: session.id, userId: session.userId })
    .from(session)
    .where(and(eq(session.id, sessionId), isOpen(now)))
  const person = open ? await personOf(ctx.tx, open, now) : null
  return person?.user ?? null
}

function sign({ secrets }: Pick<Deps, 'secrets'>, id: string, body: string): string {
  return createHmac('sha256', secrets.derive('video-play')).update(`${id} ${body}`).digest('base64url')
}
