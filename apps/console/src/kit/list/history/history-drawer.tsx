import { Button, Drawer } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { auditSchema, type AuditRow } from '@weft/contract/audit/schema'
import { callAny } from '../../../lib/api.ts'
import { useFormats } from '../../../lib/formats.ts'
import { actionLabel, fieldLabel } from '../../../lib/i18n/names.ts'
import { firstText, text, useKitText } from '../../../lib/i18n/texts.ts'
import { NO_ENDPOINT, invalidateFeatures, readAny } from '../../../lib/query.ts'
import { confirm } from '../../confirm/confirm.ts'
import { Load } from '../../states/states.tsx'
import { toast } from '../../toast/toast.ts'
import { fieldChanges, isRecord } from '../../values/diff.ts'
import { Dash, Time } from '../../values/values.tsx'
import type { ListHandle } from '../handle.ts'
import { mayUpdate } from '../list-row.tsx'
import { rowId } from '../options.ts'
import { useListText } from '../text.ts'
import { deed } from './deed.ts'
import classes from './history.module.css'

const PAGE = 20
const pageSchema = z.object({ data: z.array(auditSchema), totalRecord: z.number() })
const readHistory = (answer: unknown) => pageSchema.parse(answer)

/** Who changed a record, when, and each field before and after; a former version can be brought back. */
export default function HistoryDrawer({ list, row }: { list: ListHandle; row: unknown }) {
  const t = useListText()
  return (
    <Drawer
      opened
      onClose={() => list.show(null)}
      position="right"
      size={560}
      title={
        <span>
          {t('history.title')} · <bdi>{list.nameOf(row)}</bdi>
        </span>
      }
      closeButtonProps={{ 'aria-label': text('kit:common.close') }}
    >
      <History list={list} row={row} />
    </Drawer>
  )
}

function History({ list, row }: { list: ListHandle; row: unknown }) {
  const t = useListText()
  const kit = useKitText()
  const [shown, setShown] = useState(PAGE)
  const id = rowId(row)
  const endpoint = list.options.resource?.history
  const read = useQuery({
    ...readAny(endpoint ?? NO_ENDPOINT, { id, page: 1, perPage: shown }),
    select: readHistory,
    placeholderData: keepPreviousData,
    enabled: endpoint !== undefined,
  })
  return (
    <Load of={read} part>
      {(answer) => (
        <>
          <ol className={classes.entries}>
            {answer.data.map((entry, at) => (
              <Entry key={entry.id} list={list} row={row} entry={entry} newest={at === 0} />
            ))}
          </ol>
          {answer.data.length === 0 && <p className={classes.hint}>{t('history.none')}</p>}
          {answer.totalRecord > answer.data.length && (
            <Button
              variant="default"
              size="xs"
              loading={read.isFetching}
              onClick={() => setShown((before) => Math.min(1000, before + PAGE))}
            >
              {kit('common.more')}
            </Button>
          )}
        </>
      )}
    </Load>
  )
}

function Entry(props: { list: ListHandle; row: unknown; entry: AuditRow; newest: boolean }) {
  const t = useListText()
  const formats = useFormats()
  const { list, row, entry, newest } = props
  const { feature } = list
  const changes = fieldChanges(isRecord(entry.before) ? entry.before : null, entry.after)
  const made = entry.before === null
  const [open, setOpen] = useState(false)
  // What came with the making of a record is long, and seldom what one looks for.
  const visible = made && !open ? [] : changes
  const mayRevert = !newest && list.options.resource?.revert !== undefined && !list.trash && mayUpdate(row)
  return (
    <li className={classes.entry}>
      <div className={classes.head}>
        <b>
          <bdi>{entry.actorName || t('history.program')}</bdi>
        </b>
        <span>{deed(entry.label)}</span>
        <span className={classes.when} title={formats.exact(entry.at)}>
          <Time at={entry.at} />
        </span>
      </div>
      {visible.length > 0 && (
        <dl className={classes.changes}>
          {visible.map((change) => (
            <div key={change.path}>
              <dt>{fieldLabel(feature, change.path)}</dt>
              <dd>
                {!made && (
                  <>
                    <del>
                      <span className="unseen">{t('history.before')} </span>
                      <Value feature={feature} field={change.path} value={change.before} />
                    </del>
                    <span aria-hidden className={classes.arrow}>
                      →
                    </span>
                  </>
                )}
                <ins>
                  <span className="unseen">{t('history.after')} </span>
                  <Value feature={feature} field={change.path} value={change.after} />
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className={classes.tools}>
        {made && changes.length > 0 && (
          <Button variant="subtle" size="compact-xs" onClick={() => setOpen(!open)} aria-expanded={open}>
            {t(open ? 'history.hide' : 'history.show', { count: changes.length })}
          </Button>
        )}
        {mayRevert && (
          <Button
            variant="subtle"
            size="compact-xs"
            leftSection={<IconRestore size={14} aria-hidden />}
            onClick={() => void revert(list, row, entry, formats.exact(entry.at), t('history.revertText'))}
          >
            {t('history.revert')}
          </Button>
        )}
        {newest && !made && <span className={classes.now}>{t('history.now')}</span>}
      </div>
    </li>
  )
}

async function revert(
  list: ListHandle,
  row: unknown,
  entry: AuditRow,
  at: string,
  words: string,
): Promise<void> {
  const endpoint = list.options.resource?.revert
  const label = actionLabel('kit', 'restore')
  if (
    !endpoint ||
    !(await confirm({ action: label, name: at, text: words, confirmLabel: label, danger: false }))
  )
    return
  try {
    const fresh = list.rows.find((one) => rowId(one) === rowId(row)) ?? row
    const version = isRecord(fresh) ? fresh['version'] : undefined
    await callAny(endpoint, { id: rowId(row), version, entry: entry.id })
  } catch (error) {
    toast.failure(error)
  } finally {
    void invalidateFeatures([list.feature])
  }
}

function Value({ feature, field, value }: { feature: string; field: string; value: unknown }) {
  const t = useListText()
  const word =
    typeof value === 'string'
      ? firstText([`${feature}:options.${field}.${value}`, `kit:status.${value}`])
      : undefined
  if (word !== undefined) return <bdi>{word}</bdi>
  if (value === null || value === undefined || value === '') return <Dash />
  if (isRecord(value) && 'set' in value && Object.keys(value).length === 1)
    return <em>{t(value['set'] === true ? 'history.secretSet' : 'history.secretNone')}</em>
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.length === 0 ? <Dash /> : <bdi>{value.join(', ')}</bdi>
  if (typeof value === 'boolean') return <>{text(value ? 'kit:common.yes' : 'kit:common.no')}</>
  if (typeof value === 'string' || typeof value === 'number') return <bdi>{String(value)}</bdi>
  return <code className={classes.json}>{JSON.stringify(value)}</code>
}
