import {
  IconArrowsTransferUp,
  IconDeviceDesktopOff,
  IconKey,
  IconLink,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
  IconUser,
  IconUserOff,
} from '@tabler/icons-react'
import { access, recovery, twoSteps } from '@weft/contract/access/api'
import { users } from '@weft/contract/users/api'
import type { Person } from '@weft/contract/users/schema'
import type { Action } from '../../kit/actions/action.ts'
import { restoreAction } from '../../kit/actions/common.ts'
import { text } from '../../lib/i18n/texts.ts'
import { viewAsAction } from '../viewing/action.ts'
import { leaving, shownLink } from './dialogs.ts'
import { editPersonPath, personPath } from './paths.ts'

const isThere = ({ deletedAt }: Person) => deletedAt === null

/** What can be done with a person. */
export const personActions: Action<Person>[] = [
  { id: 'info', icon: IconUser, can: false, shown: isThere, to: ({ id }) => personPath(id) },
  { id: 'edit', icon: IconPencil, can: 'update', shown: isThere, to: ({ id }) => editPersonPath(id) },
  {
    id: 'activate',
    icon: IconPlayerPlay,
    shown: (row) => isThere(row) && row.status === 'suspended',
    run: ({ id }, { call }) => call(users.activate, { id }),
  },
  {
    id: 'handOut',
    icon: IconLink,
    shown: (row) => isThere(row) && row.status === 'active',
    done: null,
    async run(person, { call }) {
      const link = await call(recovery.handOut, { id: person.id })
      shownLink.set({ kind: 'handedOut', person: { ...person, email: null }, ...link })
    },
  },
  viewAsAction,
  {
    id: 'transfer',
    icon: IconArrowsTransferUp,
    shown: isThere,
    done: null,
    run: (person) => {
      leaving.set({ person, deletes: false })
      return Promise.resolve()
    },
  },
  {
    id: 'endSessions',
    icon: IconDeviceDesktopOff,
    shown: isThere,
    danger: true,
    confirmText: () => text('users:endText'),
    run: ({ id }, { call }) => call(access.endSessionsOf, { id }),
    invalidates: ['access'],
  },
  {
    id: 'resetTwoSteps',
    icon: IconKey,
    shown: isThere,
    danger: true,
    confirmText: () => text('users:resetText'),
    run: ({ id }, { call }) => call(twoSteps.reset, { id }),
    invalidates: ['access'],
  },
  {
    id: 'suspend',
    icon: IconUserOff,
    shown: (row) => isThere(row) && row.status === 'active',
    danger: true,
    confirmText: () => text('users:suspendText'),
    run: ({ id }, { call }) => call(users.suspend, { id }),
    undo: ({ id }, { call }) => call(users.activate, { id }),
  },
  {
    id: 'delete',
    icon: IconTrash,
    shown: isThere,
    danger: true,
    asksItself: true,
    done: null,
    run: (person) => {
      leaving.set({ person, deletes: true })
      return Promise.resolve()
    },
  },
  { ...restoreAction<Person>(users), shown: (row) => !isThere(row) },
]
