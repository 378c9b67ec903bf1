import { Button, Group, Modal, SegmentedControl, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkPreviewSchema, bulkSchema } from '@weft/contract/bulks/schema'
import type { Selection } from '@weft/contract/core/record'
import { callAny } from '../../../lib/api.ts'
import { isFailure } from '../../../lib/failure.ts'
import { errorText, fieldErrorText, fieldLabel } from '../../../lib/i18n/names.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { NO_ENDPOINT, invalidateFeatures, readAny, worthRetrying } from '../../../lib/query.ts'
import { toast } from '../../toast/toast.ts'
import { FieldInput, valueToSend } from '../field-input.tsx'
import { bulkFields, TAGS_FIELD } from '../fields.ts'
import type { ListHandle } from '../handle.ts'
import { NOTHING, asSelection } from '../selection.ts'
import { setAt } from '../../form/paths.ts'
import { useListText } from '../text.ts'
import { Reasons } from './reasons.tsx'
import { rememberBulk } from './running.ts'
import { bulkToast } from './words.ts'
import classes from './bulk.module.css'

const readPreview = (answer: unknown) => bulkPreviewSchema.parse(answer)
/** So long nothing is typed before it is asked what it would do. */
const SETTLED_MS = 250

/** What the list itself does to many records. */
export type BulkKind = 'update' | 'tags' | 'delete' | 'restore' | 'purge'

interface Props {
  list: ListHandle
  kind: BulkKind
  count: number
  /** What it is done to, where that is not the chosen rows; with the words for it. */
  instead?: { selection: Selection; title: string }
  onClose: () => void
}

/** Says what would happen to the chosen records before it does: how many change, which are refused, and why. */
export function BulkDialog(props: Props) {
  const t = useListText()
  const kit = useKitText()
  const { list, kind, count, instead, onClose } = props
  const { feature } = list
  const settable = bulkFields(list.options.fields)
  const [name, setName] = useState(settable[0]?.name ?? '')
  const [value, setValue] = useState<unknown>(null)
  const [tags, setTags] = useState<unknown>([])
  const [adds, setAdds] = useState(true)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ of: string; error: unknown } | null>(null)
  const field = settable.find((one) => one.name === name)
  const sent = field ? valueToSend(field, value) : null
  const isSaid =
    kind === 'tags'
      ? Array.isArray(tags) && tags.length > 0
      : kind === 'update'
        ? field !== undefined && ((sent !== null && sent !== '') || field.clearable === true)
        : true
  const change =
    kind === 'tags'
      ? { action: adds ? 'addTags' : 'removeTags', tags }
      : kind === 'update'
        ? { action: 'update', fields: setAt({}, name, sent) }
        : { action: kind }
  const input = { selection: instead?.selection ?? asSelection(list.chosen, list.data.input), ...change }
  const asked = JSON.stringify(input)
  const [settled] = useDebouncedValue(asked, SETTLED_MS)
  const typing = settled !== asked
  const { bulk, bulkPreview } = list.options.resource ?? {}
  const preview = useQuery({
    ...readAny(bulkPreview ?? NO_ENDPOINT, input),
    select: readPreview,
    enabled: bulkPreview !== undefined && isSaid && !typing,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  const start = async () => {
    if (!bulk) return
    setBusy(true)
    setFailure(null)
    try {
      const begun = bulkSchema.parse(await callAny(bulk, input))
      void invalidateFeatures([feature]).then(list.showWaiting)
      list.setChosen(NOTHING)
      onClose()
      rememberBulk(feature, begun)
      if (begun.state === 'running' || begun.refusedTotal > 0) list.show({ kind: 'bulk', id: begun.id })
      if (begun.state !== 'running') bulkToast(list, begun)
    } catch (error) {
      if (isFailure(error) && error.httpStatus === 422) setFailure({ of: asked, error })
      else toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  // A refusal is about what was sent; whatever else is asked for now may do.
  const words = wordsOf(failure?.of === asked ? failure.error : preview.error)
  const looking = isSaid && (typing || preview.isFetching)
  const nothing = preview.data?.changed === 0
  return (
    <Modal
      opened
      onClose={onClose}
      title={instead?.title ?? t(`bulk.title.${kind}`, { count })}
      size={520}
      closeButtonProps={{ 'aria-label': kit('common.close') }}
    >
      {kind === 'tags' && (
        <>
          <SegmentedControl
            size="xs"
            fullWidth
            mb={12}
            value={adds ? 'add' : 'remove'}
            data={[
              { value: 'add', label: t('bulk.addTags') },
              { value: 'remove', label: t('bulk.removeTags') },
            ]}
            onChange={(next) => setAdds(next === 'add')}
          />
          <FieldInput
            feature={feature}
            field={TAGS_FIELD}
            tags={list.options.resource?.tags}
            label={kit('fields.tags')}
            value={tags}
            onChange={setTags}
          />
        </>
      )}
      {kind === 'update' && (
        <div className={classes.setting}>
          <Select
            size="xs"
            label={t('bulk.field')}
            data={settable.map((one) => ({ value: one.name, label: fieldLabel(feature, one.name) }))}
            value={name}
            onChange={(next) => {
              setName(next ?? '')
              setValue(null)
            }}
          />
          {field && (
            <div>
              {field.kind === 'record' && <div className={classes.label}>{t('bulk.value')}</div>}
              <FieldInput
                key={name}
                feature={feature}
                field={field}
                label={t('bulk.value')}
                value={value}
                onChange={setValue}
              />
              {field.clearable && (value === null || value === '') && (
                <p className={classes.hint}>{t('bulk.clears')}</p>
              )}
            </div>
          )}
        </div>
      )}
      {kind === 'delete' && <p className={classes.text}>{kit('confirm.trash')}</p>}
      {kind === 'purge' && <p className={classes.text}>{t('bulk.forGood')}</p>}
      <div className={classes.preview} aria-live="polite">
        {looking && <p className={classes.hint}>{t('bulk.looking')}</p>}
        {isSaid && preview.data && !looking && (
          <>
            <p className={classes.sum}>
              {t(kind === 'purge' ? 'bulk.previewPurge' : 'bulk.preview', {
                changed: preview.data.changed,
                matched: preview.data.matched,
              })}
            </p>
            <Reasons reasons={preview.data.reasons} />
          </>
        )}
        {words && (
          <p className={classes.wrong} role="alert">
            {words}
            {preview.error !== null && failure?.of !== asked && worthRetrying(0, preview.error) && (
              <Button size="compact-xs" variant="default" onClick={() => void preview.refetch()}>
                {kit('common.retry')}
              </Button>
            )}
          </p>
        )}
      </div>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={onClose}>
          {kit('common.cancel')}
        </Button>
        <Button
          {...(kind === 'delete' || kind === 'purge' ? { color: 'red' } : {})}
          loading={busy}
          disabled={!isSaid || looking || nothing || preview.error !== null}
          onClick={() => void start()}
        >
          {t(`bulk.do.${kind === 'tags' && !adds ? 'untag' : kind}`, {
            count: preview.data?.changed ?? count,
          })}
        </Button>
      </Group>
    </Modal>
  )
}

function wordsOf(failure: unknown): string | null {
  if (failure === null || failure === undefined) return null
  if (!isFailure(failure)) return errorText('system.failed')
  const { code, params, message, errors } = failure.body
  const first = errors?.[0]
  return first ? fieldErrorText(first.code, first.params, first.message) : errorText(code, params, message)
}
