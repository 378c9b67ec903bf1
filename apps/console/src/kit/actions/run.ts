import { useCallback } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Selection } from '@weft/contract/core/record'
import { call } from '../../lib/api.ts'
import { actionLabel } from '../../lib/i18n/names.ts'
import { text } from '../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../lib/query.ts'
import { confirm, type Question } from '../confirm/confirm.ts'
import { toast } from '../toast/toast.ts'
import { GAVE_UP, type Action, type ActionContext } from './action.ts'

/**
 * Runs actions: asks first where it is dangerous, then does it, tells, and reads anew what changed; `settled` is called
 * when it has been read.
 */
export function useActions(feature: string, settled?: () => void) {
  const navigate = useNavigate()
  const { search } = useLocation()
  const go = useCallback(
    (to: string) => void navigate(to.startsWith('/') ? to : { pathname: to, search }),
    [navigate, search],
  )

  const context: ActionContext = { call, go }

  const run = async <T>(action: Action<T>, row: T, name: string): Promise<boolean> => {
    if (action.to) {
      go(action.to(row))
      return true
    }
    const label = actionLabel(feature, action.id)
    const asks = action.danger && !action.asksItself
    const body: Question['body'] = action.confirmBody && ((block) => action.confirmBody?.(row, block))
    if (asks && !(await ask(label, name, action.confirmText?.(row, 1), body))) return false
    try {
      if ((await action.run?.(row, context)) === GAVE_UP) return false
    } catch (error) {
      toast.failure(error)
      return false
    } finally {
      if (!action.changesNothing)
        void invalidateFeatures([feature, ...(action.invalidates ?? [])]).then(settled)
    }
    if (action.done !== null) {
      const words = action.done?.(name) ?? text('kit:toasts.done', { action: label, name })
      toast.success(
        words,
        action.undo && {
          label: text('kit:toasts.undo'),
          run: () =>
            void action
              .undo?.(row, context)
              .then(() => invalidateFeatures([feature]))
              .catch(toast.failure),
        },
      )
    }
    return true
  }

  const runBulk = async <T>(action: Action<T>, selection: Selection, count: number): Promise<boolean> => {
    const label = actionLabel(feature, action.id)
    const name = text('kit:confirm.many', { count })
    const asks = action.danger && !action.asksItself
    if (asks && !(await ask(label, name, action.confirmText?.(null, count)))) return false
    try {
      const outcome = await action.bulk?.(selection, context)
      if (outcome === GAVE_UP) return false
      if (!outcome) toast.success(text('kit:toasts.done', { action: label, name }))
      else {
        const words = text('kit:toasts.bulk', { done: outcome.done, refused: outcome.refused.length })
        if (outcome.refused.length > 0) toast.warning(words)
        else toast.success(words)
      }
      return true
    } catch (error) {
      toast.failure(error)
      return false
    } finally {
      void invalidateFeatures([feature, ...(action.invalidates ?? [])])
    }
  }

  return { run, runBulk }
}

function ask(
  action: string,
  name: string,
  words: string | undefined,
  body?: Question['body'],
): Promise<boolean> {
  return confirm({
    action,
    name,
    ...(words ? { text: words } : {}),
    ...(body ? { body } : {}),
    confirmLabel: action,
  })
}
