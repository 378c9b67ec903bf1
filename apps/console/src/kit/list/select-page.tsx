import { useKitText } from '../../lib/i18n/texts.ts'
import { Box } from './box.tsx'
import type { ListHandle } from './handle.ts'
import { rowId } from './options.ts'
import { togglePage } from './selection.ts'

/** Chooses all rows of the page, or none of them. */
export function SelectPage<T>({ list }: { list: ListHandle<T> }) {
  const t = useKitText()
  const { chosen } = list
  const ids = list.rows.map(rowId).filter(Boolean)
  const all = chosen.kind === 'all' || (ids.length > 0 && ids.every((id) => chosen.ids.has(id)))
  const some = chosen.kind === 'some' && ids.some((id) => chosen.ids.has(id))
  return (
    <Box
      checked={all}
      mixed={some && !all}
      onChange={() => list.setChosen(togglePage(chosen, ids))}
      label={t('list.selectPage')}
    />
  )
}
