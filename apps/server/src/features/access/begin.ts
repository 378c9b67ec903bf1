import type { SignedIn } from '@weft/contract/access/schema'
import type { BaseContext } from '../../kit/context.ts'
import type { Deps } from '../../kit/deps.ts'
import { giveCookies } from './cookies.ts'
import { signedIn } from './present.ts'
import { tellNewDevice } from './new-device.ts'
import { openSession } from './sessions.ts'

type BeginContext = Pick<BaseContext, 'tx' | 'http' | 'address'>

/** Begins somebody's session: the cookies for the browser, the token and the rights for the page. */
export async function beginSession(
  { settings, now }: Pick<Deps, 'settings' | 'now'>,
  ctx: BeginContext,
  userId: string,
  remembered: boolean,
): Promise<SignedIn> {
  const at = now()
  const userAgent = ctx.http.header('user-agent') ?? ''
  await tellNewDevice(ctx.tx, { userId, userAgent, address: ctx.address })
  const tokens = await openSession(ctx.tx, { userId, remembered, userAgent, address: ctx.address, now: at })
  giveCookies(ctx.http, settings, tokens, at)
  return signedIn(ctx.tx, userId, tokens)
}
