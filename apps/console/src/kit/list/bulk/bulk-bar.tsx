import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconRestore, IconTags, IconTrash, IconTrashX, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { actionLabel } from '../../../lib/i18n/names.ts'
import { useFormats } from '../../../lib/formats.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { useActions } from '../../actions/run.ts'
import { useMayCall } from '../../actions/use-may-call.ts'
import { countText } from '../../page/count.ts'
import { bulkFields } from '../fields.ts'
import type { ListHandle } from '../handle.ts'
import { rowId } from '../options.ts'
import { NOTHING, asSelection, chosenCount } from '../selection.ts'
import { useListText } from '../text.ts'
import { BulkDialog, type BulkKind } from './bulk-dialog.tsx'
import { offeredForMany } from './offered.ts'
import classes from './bulk.module.css'

/** What can be done with the chosen rows; says how many, and offers all that match. */
export default function BulkBar({ list }: { list: ListHandle }) {
  const t = useKitText()
  const tt = useListText()
  const formats = useFormats()
  const may = useMayCall()
  const { runBulk } = useActions(list.feature)
  const [busy, setBusy] = useState<string | null>(null)
  const [kind, setKind] = useState<BulkKind | null>(null)
  const total = list.data.total ?? 0
  const count = chosenCount(list.chosen, total)
  if (count === 0) return null
  const all = countText({ total, estimated: list.data.estimated }, t, formats.number)
  const { resource, fields } = list.options
  const built = resource?.bulk && may(resource.bulk) ? resource.bulk : undefined
  const others = list.trash ? [] : offeredForMany(list.options.actions ?? [], built !== undefined)
  const ids = list.rows.map(rowId).filter(Boolean)
  const { chosen } = list
  const wholePage = chosen.kind === 'some' && ids.length > 0 && ids.every((id) => chosen.ids.has(id))
  const own: { kind: BulkKind; icon: typeof IconTags; label: string; danger?: boolean }[] = !built
    ? []
    : list.trash
      ? [
          { kind: 'restore', icon: IconRestore, label: t('actions.restore') },
          ...(resource?.purge && may(resource.purge)
            ? [{ kind: 'purge' as const, icon: IconTrashX, label: t('actions.purge'), danger: true }]
            : []),
        ]
      : [
          ...(bulkFields(fields).length > 0
            ? [{ kind: 'update' as const, icon: IconPencil, label: tt('bulk.set') }]
            : []),
          { kind: 'tags', icon: IconTags, label: t('fields.tags') },
          ...(resource?.remove && may(resource.remove)
            ? [{ kind: 'delete' as const, icon: IconTrash, label: t('actions.delete'), danger: true }]
            : []),
        ]
  return (
    <section className={classes.bulk} aria-label={t('list.selected', { count })}>
      <output className={classes.count}>
        {chosen.kind === 'all' ? t('list.allMatching', { total: all }) : t('list.selected', { count })}
      </output>
      {wholePage && total > count && (
        <Button variant="subtle" size="compact-sm" onClick={() => list.setChosen({ kind: 'all' })}>
          {t('list.selectAllMatching', { total: all })}
        </Button>
      )}
      <span className={classes.actions}>
        {others.map((action) => (
          <Button
            key={action.id}
            size="compact-sm"
            variant="default"
            {...(action.danger ? { c: 'var(--tone-red-text)' } : {})}
            leftSection={<action.icon size={15} aria-hidden />}
            loading={busy === action.id}
            onClick={async () => {
              setBusy(action.id)
              const selection = asSelection(chosen, list.data.input)
              if (await runBulk(action, selection, count)) list.setChosen(NOTHING)
              setBusy(null)
            }}
          >
            {actionLabel(list.feature, action.id)}
          </Button>
        ))}
        {own.map((one) => (
          <Button
            key={one.kind}
            size="compact-sm"
            variant="default"
            {...(one.danger ? { c: 'var(--tone-red-text)' } : {})}
            leftSection={<one.icon size={15} aria-hidden />}
            onClick={() => setKind(one.kind)}
          >
            {one.label}
          </Button>
        ))}
        <ActionIcon size={28} aria-label={t('list.clearSelection')} onClick={() => list.setChosen(NOTHING)}>
          <IconX size={16} />
        </ActionIcon>
      </span>
      {kind && <BulkDialog list={list} kind={kind} count={count} onClose={() => setKind(null)} />}
    </section>
  )
}
