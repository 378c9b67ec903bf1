import type { Json } from '@weft/workflow/json'
import { store } from '../../../../lib/emitter.ts'

/** What a browser is opened for from the editor. */
export type Browsing =
  | { purpose: 'record' }
  | {
      purpose: 'pick'
      /** The step whose field is to be filled. */
      stepId: string
      /** The step presses or fills: what can be pressed around the place is meant. */
      pressable: boolean
      use: (targets: Json) => void
    }

/** What is browsed for now; null while nothing is. */
export const browsing = store<Browsing | null>(null)
