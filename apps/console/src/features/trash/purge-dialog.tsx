import { Button, Group, Modal } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkPreviewSchema } from '@weft/contract/bulks/schema'
import { TRASH_KINDS } from '@weft/contract/trash/schema'
import { Reasons } from '../../kit/list/bulk/reasons.tsx'
import { Failure } from '../../kit/states/states.tsx'
import { toast } from '../../kit/toast/toast.ts'
import { optionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { NO_ENDPOINT, invalidateFeatures, readAny } from '../../lib/query.ts'
import { CALLS } from './calls.ts'
import { doMany } from './many.ts'
import type { Purging } from './purging.ts'
import { useT } from './text.ts'
import classes from './trash.module.css'

const readPreview = (answer: unknown) => bulkPreviewSchema.parse(answer)

/** Says of each kind how much would go for good and what stays, before it does. */
export default function PurgeDialog({ what, settled }: { what: Purging; settled: () => void }) {
  const { shares, end } = what
  const t = useT()
  const kit = useKitText()
  const [busy, setBusy] = useState(false)
  const able = shares.filter(({ kind }) => CALLS[kind].bulkPreview)
  const looks = useQueries({
    queries: able.map(({ kind, selection }) => ({
      ...readAny(CALLS[kind].bulkPreview ?? NO_ENDPOINT, { selection, action: 'purge' }),
      select: readPreview,
      staleTime: 0,
      gcTime: 0,
      retry: false,
    })),
  })
  const failed = looks.find(({ error }) => error !== null)
  const looking = looks.some(({ isPending }) => isPending)
  const found = able.flatMap(({ kind }, at) => {
    const look = looks[at]?.data
    return look && look.matched > 0 ? [{ kind, look }] : []
  })
  const goes = found.reduce((sum, { look }) => sum + look.changed, 0)
  const staying = shares.filter((share) => !able.includes(share))
  const start = async () => {
    setBusy(true)
    try {
      const { done, refused, running } = await doMany(able, 'purge')
      if (running) toast.info(t('goesOn'))
      else if (refused > 0) toast.warning(t('goneAndStayed', { done, refused }))
      else toast.success(t('gone', { count: done }))
      end(true)
    } catch (error) {
      toast.failure(error)
      setBusy(false)
    } finally {
      void invalidateFeatures(['trash', ...TRASH_KINDS]).then(settled)
    }
  }
  return (
    <Modal
      opened
      onClose={() => end(false)}
      title={kit('actions.purge')}
      size={520}
      closeButtonProps={{ 'aria-label': kit('common.close') }}
    >
      <p className={classes.text}>{t('forGood')}</p>
      <div className={classes.preview} aria-live="polite" aria-busy={looking}>
        {failed && !looking && <Failure error={failed.error} retry={() => void failed.refetch()} />}
        {looking && <p className={classes.hint}>{t('looking')}</p>}
        {!looking && !failed && (
          <>
            <ul className={classes.kinds}>
              {found.map(({ kind, look }) => (
                <li key={kind}>
                  <span className={classes.kind}>
                    <b>{optionLabel('trash', 'kind', kind)}</b>
                    <span className="numbers">
                      {t('share', { changed: look.changed, matched: look.matched })}
                    </span>
                  </span>
                  <Reasons reasons={look.reasons} />
                </li>
              ))}
            </ul>
            {found.length === 0 && <p className={classes.hint}>{t('nothing')}</p>}
          </>
        )}
        {staying.length > 0 && (
          <p className={classes.hint}>
            {t('byThemselves', {
              kinds: staying.map(({ kind }) => optionLabel('trash', 'kind', kind)).join(', '),
            })}
          </p>
        )}
      </div>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={() => end(false)}>
          {kit('common.cancel')}
        </Button>
        <Button
          color="red"
          loading={busy}
          disabled={looking || failed !== undefined || goes === 0}
          onClick={() => void start()}
        >
          {t('do', { count: goes })}
        </Button>
      </Group>
    </Modal>
  )
}
