import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { actionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { useActions } from '../actions/run.ts'
import { rowId } from './options.ts'
import { NOTHING, asSelection, chosenCount } from './selection.ts'
import type { ListHandle } from './handle.ts'
import classes from './list.module.css'

/** What can be done with the chosen rows; says how many, and offers all that match. */
export function BulkBar<T>({ list }: { list: ListHandle<T> }) {
  const t = useKitText()
  const { runBulk } = useActions(list.feature)
  const [busy, setBusy] = useState<string | null>(null)
  const total = list.data.total ?? 0
  const count = chosenCount(list.chosen, total)
  if (count === 0) return null
  const actions = (list.options.actions ?? []).filter(({ bulk }) => bulk)
  const ids = list.rows.map(rowId).filter(Boolean)
  const wholePage =
    list.chosen.kind === 'some' &&
    ids.length > 0 &&
    ids.every((id) => list.chosen.kind === 'some' && list.chosen.ids.has(id))
  return (
    <section className={classes.bulk} aria-label={t('list.selected', { count })}>
      <output className={classes.bulkCount}>
        {list.chosen.kind === 'all' ? t('list.allMatching', { total }) : t('list.selected', { count })}
      </output>
      {wholePage && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={() => list.setChosen({ kind: 'all' })}>
          {t('list.selectAllMatching', { total })}
        </Button>
      )}
      <span className={classes.bulkActions}>
        {actions.map((action) => (
          <Button
            key={action.id}
            size="compact-sm"
            variant="default"
            {...(action.danger ? { c: 'var(--tone-red-text)' } : {})}
            leftSection={<action.icon size={15} aria-hidden />}
            loading={busy === action.id}
            onClick={async () => {
              setBusy(action.id)
              const selection = asSelection(list.chosen, list.data.input)
              if (await runBulk(action, selection, count)) list.setChosen(NOTHING)
              setBusy(null)
            }}
          >
            {actionLabel(list.feature, action.id)}
          </Button>
        ))}
        <ActionIcon size={28} aria-label={t('list.clearSelection')} onClick={() => list.setChosen(NOTHING)}>
          <IconX size={16} />
        </ActionIcon>
      </span>
    </section>
  )
}
