import { useEffect } from 'react'
import { toast } from '../../../kit/toast/toast.ts'
import type { Notice } from '../model/editor-state.ts'
import { useT } from '../text.ts'

/** Tells the author once what the editor has to say: why an edit was not possible, or what else it took along. */
export function useNotices(notice: Notice | null): void {
  const t = useT()
  useEffect(() => {
    if (!notice) return
    const { code, params } = notice
    if (code === 'removed') toast.info(t('notices.removed', params))
    else if (code === 'removedBody') toast.info(t('notices.removedBody', params))
    else if (code === 'operation.nothing_follows') toast.warning(t('notices.nothingFollows'))
    else if (code === 'operation.too_many') toast.warning(t('notices.tooMany'))
    else if (code === 'operation.into_itself') toast.warning(t('notices.intoItself'))
    else toast.warning(t('notices.notPossible'))
    // The words may change with the language; the notice is told when it comes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [notice])
}
