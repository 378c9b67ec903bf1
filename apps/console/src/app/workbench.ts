import type { ComponentType, ReactNode } from 'react'
import type { Action, Subject } from '@weft/contract/core/permissions'
import { callSucceeded, sessionFailed, surroundCalls } from '../lib/api.ts'
import { can } from '../lib/can.ts'
import { loadConfig } from '../lib/config.ts'
import { invalidateFeatures, queryClient } from '../lib/query.ts'
import { startPreferenceSync } from '../lib/preference-sync.ts'
import { startRealtime } from '../lib/realtime/realtime.ts'
import { checkSession, reloadUser } from '../lib/session/session.ts'
import { mendByProof } from '../kit/proof/proof.ts'
import { toast, type ToastType } from '../kit/toast/toast.ts'
import { endAfterFailure } from './boot.ts'
import { Frame } from './shell/frame.tsx'
import { Providers } from './shell/providers.tsx'

/** The part of the console for somebody signed in. */
export interface Workbench {
  can: (action: Action, subject: Subject) => boolean
  Frame: ComponentType<{ children: ReactNode }>
  Providers: ComponentType<{ children: ReactNode }>
  stop: () => void
}

function showNotice(type: ToastType, message: string): void {
  toast[type](message)
}

/** Starts what runs while somebody is signed in. */
export function startWorkbench(): Workbench {
  surroundCalls(mendByProof)
  const sync = startPreferenceSync()
  const stops = [
    sync.stop,
    callSucceeded.on(toast.fromServer),
    sessionFailed.on(endAfterFailure),
    startRealtime({
      notify: ({ type, message }) => showNotice(type, message),
      invalidate: (features) => void invalidateFeatures(features),
      everything: () => void queryClient.invalidateQueries(),
      configChanged: () => void loadConfig(),
      rightsChanged: () => void reloadUser().then(loadConfig).catch(endAfterFailure),
      preferencesChanged: sync.adopt,
      cut: () => void checkSession(),
      told: () => void import('../features/notifications/announce.ts').then(({ announce }) => announce()),
    }),
  ]
  return {
    can,
    Frame,
    Providers,
    stop() {
      for (const stop of stops) stop()
      queryClient.clear()
    },
  }
}
