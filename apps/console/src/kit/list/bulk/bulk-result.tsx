import { Button, Group, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { bulks } from '@weft/contract/bulks/api'
import type { Bulk } from '@weft/contract/bulks/schema'
import { isOutOfReach } from '../../../lib/failure.ts'
import { errorText } from '../../../lib/i18n/names.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { invalidateFeatures, useRead } from '../../../lib/query.ts'
import { useSteady } from '../../../lib/use-latest.ts'
import { useChange } from '../../actions/use-change.ts'
import { ProgressBar } from '../../progress/progress.tsx'
import { Load } from '../../states/states.tsx'
import type { ListHandle } from '../handle.ts'
import { useListText } from '../text.ts'
import { forgetBulk, rememberBulk } from './running.ts'
import { undoBulk } from './words.ts'
import classes from './bulk.module.css'

const POLL_MS = 700

/** How far a bulk action is, and what came of it for which records; it can be ended, and taken back. */
export default function BulkResult({ list, id }: { list: ListHandle; id: string }) {
  const kit = useKitText()
  const t = useListText()
  const [running, setRunning] = useState(true)
  const read = useRead(bulks.get, { id }, running ? { every: POLL_MS } : {})
  const state = read.data?.state
  const { feature } = list
  const close = useSteady(() => list.show(null))
  // Cleared away, or somebody else's who was in this tab before: there is nothing to be shown of it, now or later.
  const outOfReach = isOutOfReach(read.error)
  if (running && state !== undefined && state !== 'running') setRunning(false)
  useEffect(() => {
    if (!outOfReach) return
    forgetBulk(feature, id)
    close()
  }, [outOfReach, feature, id, close])
  useEffect(() => {
    if (!read.data) return
    rememberBulk(feature, read.data)
    if (state !== 'running') void invalidateFeatures([feature])
  }, [state, read.data, feature])
  if (outOfReach) return null
  return (
    <Modal
      opened
      onClose={close}
      title={t('bulk.resultTitle')}
      size={560}
      closeButtonProps={{ 'aria-label': kit('common.close') }}
    >
      <Load of={read} part>
        {(bulk) => <Result list={list} bulk={bulk} at={read.dataUpdatedAt} />}
      </Load>
    </Modal>
  )
}

function Result({ list, bulk, at }: { list: ListHandle; bulk: Bulk; at: number }) {
  const t = useListText()
  const kit = useKitText()
  const cancel = useChange(bulks.cancel)
  const running = bulk.state === 'running'
  const seconds = ((bulk.finishedAt ? Date.parse(bulk.finishedAt) : at) - Date.parse(bulk.createdAt)) / 1000
  const rate = seconds > 1 ? (bulk.processed / seconds) * 60 : null
  return (
    <>
      <ProgressBar
        label={t(`bulk.state.${bulk.state}`)}
        value={bulk.processed}
        max={Math.max(bulk.total, bulk.processed)}
        segments={[
          { value: bulk.done, tone: 'green', label: t('bulk.changed') },
          { value: bulk.refusedTotal, tone: 'red', label: t('bulk.refusedShort') },
        ]}
        {...(running && rate
          ? { ratePerMinute: rate, etaSeconds: ((bulk.total - bulk.processed) / rate) * 60 }
          : {})}
      />
      <p className={classes.sum}>
        {t(`bulk.state.${bulk.state}`)} ·{' '}
        {t('bulk.result', { done: bulk.done, unchanged: bulk.unchanged, refused: bulk.refusedTotal })}
      </p>
      {bulk.refused.length > 0 && (
        <div className={classes.table}>
          <table>
            <thead>
              <tr>
                <th scope="col">{kit('fields.name')}</th>
                <th scope="col">{t('bulk.why')}</th>
              </tr>
            </thead>
            <tbody>
              {bulk.refused.map((one) => (
                <tr key={one.id}>
                  <td>
                    <bdi>{one.name || one.id.slice(0, 8)}</bdi>
                  </td>
                  <td>{errorText(one.code, { field: '' })}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {bulk.refusedTotal > bulk.refused.length && (
        <p className={classes.hint}>
          {t('bulk.moreRefused', { count: bulk.refusedTotal - bulk.refused.length })}
        </p>
      )}
      <Group justify="flex-end" gap={8} mt={16}>
        {bulk.can.includes('cancel') && (
          <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate({ id: bulk.id })}>
            {t('bulk.cancel')}
          </Button>
        )}
        {bulk.can.includes('undo') && (
          <Button
            variant="default"
            onClick={() => {
              list.show(null)
              void undoBulk(list, bulk)
            }}
          >
            {kit('toasts.undo')}
          </Button>
        )}
        <Button onClick={() => list.show(null)}>
          {running ? t('bulk.background') : kit('common.close')}
        </Button>
      </Group>
    </>
  )
}
