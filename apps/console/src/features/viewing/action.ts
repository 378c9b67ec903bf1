import { IconEye } from '@tabler/icons-react'
import type { Person } from '@weft/contract/users/schema'
import type { Action } from '../../kit/actions/action.ts'
import { store } from '../../lib/emitter.ts'
import { signedIn } from '../../lib/session/session.ts'

/** As whom somebody is about to look on; the frame asks them why. */
export const aboutToView = store<Pick<Person, 'id' | 'username' | 'displayName'> | null>(null)

/** Opens the console as a person sees it: for those who may look after them, never for oneself. */
export const viewAsAction: Action<Person> = {
  id: 'viewAs',
  icon: IconEye,
  // Whoever may hand them a way in may see what they see; the same people are beyond both.
  can: 'handOut',
  shown: ({ id, status, deletedAt }) => {
    const info = signedIn.get()
    return status === 'active' && deletedAt === null && !info?.viewing && info?.user.id !== id
  },
  done: null,
  run: (person) => {
    aboutToView.set(person)
    return Promise.resolve()
  },
}
