import { IconRestore, IconTrashX } from '@tabler/icons-react'
import { TRASH_KINDS, type Thrown } from '@weft/contract/trash/schema'
import type { Action } from '../../kit/actions/action.ts'
import { toast } from '../../kit/toast/toast.ts'
import { callAny } from '../../lib/api.ts'
import { text } from '../../lib/i18n/texts.ts'
import { CALLS } from './calls.ts'
import { doMany } from './many.ts'
import { askPurge } from './purging.ts'
import { grouped, sharesOf } from './shares.ts'

/** What can be done with what lies in the trash: taken back, or deleted for good after a look at what would go. */
export const trashActions: Action<Thrown>[] = [
  {
    id: 'restore',
    icon: IconRestore,
    invalidates: TRASH_KINDS,
    run: ({ kind, recordId }) => callAny(CALLS[kind].restore, { id: recordId }),
    undo: ({ kind, recordId }) => callAny(CALLS[kind].remove, { id: recordId }),
    bulk: async (selection) => {
      const { done, refused, running } = await doMany(await sharesOf(selection), 'restore')
      if (running) toast.info(text('trash:goesOn'))
      return { done, refused: Array.from({ length: refused }) }
    },
  },
  {
    id: 'purge',
    icon: IconTrashX,
    danger: true,
    asksItself: true,
    done: null,
    // What is read anew, the dialog says.
    changesNothing: true,
    run: ({ id }) => askPurge(grouped([id])),
    bulk: async (selection) => askPurge(await sharesOf(selection)),
  },
]
