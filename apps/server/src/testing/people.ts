import { eq } from 'drizzle-orm'
import type { BUILT_IN_ROLES, Rule } from '@weft/contract/core/permissions'
import type { Api } from '@weft/contract/core/endpoint'
import { clientOf, type ClientOf, type Transport } from '@weft/contract/core/client'
import { insertUser } from '../features/access/first-administrator.ts'
import { hashPassword } from '../features/access/password.ts'
import { openSession } from '../features/access/sessions.ts'
import { role, userRole } from '../features/access/table.ts'
import type { Deps } from '../kit/deps.ts'
import { newId } from '../kit/id.ts'

/** A signed-in person who makes calls. */
export interface TestPerson {
  id: string
  username: string
  token: string
  transport: Transport
  /** The calls of an api as this person. */
  api<A extends Api>(api: A): ClientOf<A>
}

/** Somebody who is not signed in. */
export interface Stranger {
  transport: Transport
  api<A extends Api>(api: A): ClientOf<A>
}

/** The password of everybody in tests, hashed once. */
export const TEST_PASSWORD = 'the password of tests'
let hash: Promise<string> | undefined

/** Makes a person with a session. */
export async function makePerson(
  deps: Deps,
  baseUrl: string,
  options: { username: string; role: keyof typeof BUILT_IN_ROLES | readonly Rule[] },
): Promise<TestPerson> {
  const { username } = options
  hash ??= hashPassword(TEST_PASSWORD)
  const passwordHash = await hash
  const { id, access } = await deps.db.transaction(async (tx) => {
    const builtIn = typeof options.role === 'string' ? options.role : 'viewer'
    const userId = await insertUser(tx, { username, passwordHash }, builtIn)
    if (typeof options.role !== 'string') {
      const own = { id: newId(), key: username, name: username, rules: [...options.role] }
      await tx.insert(role).values(own)
      await tx.update(userRole).set({ roleId: own.id }).where(eq(userRole.userId, userId))
    }
    const tokens = await openSession(tx, {
      userId,
      remembered: false,
      userAgent: 'test',
      address: '127.0.0.1',
      now: deps.now(),
    })
    return { id: userId, access: tokens.access }
  })
  const transport: Transport = { baseUrl, headers: () => ({ authorization: `Bearer ${access}` }) }
  return { id, username, token: access, transport, api: (api) => clientOf(transport, api) }
}

/** Somebody not signed in. */
export function stranger(baseUrl: string): Stranger {
  const transport: Transport = { baseUrl }
  return { transport, api: (api) => clientOf(transport, api) }
}
