import { Button, Group, Popover } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { callAny } from '../../lib/api.ts'
import { isFailure } from '../../lib/failure.ts'
import { useFormats, type Formats } from '../../lib/formats.ts'
import { errorText, fieldErrorText, fieldLabel, optionLabel } from '../../lib/i18n/names.ts'
import { useKitText } from '../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../lib/query.ts'
import { Anchor } from '../popup/anchor.tsx'
import { toast } from '../toast/toast.ts'
import { isRecord } from '../values/diff.ts'
import { FieldInput, valueToSend } from './field-input.tsx'
import type { ListField } from './fields.ts'
import type { EditedCell, ListHandle } from './handle.ts'
import { rowId } from './options.ts'
import { useListText } from './text.ts'
import classes from './cell-editor.module.css'

/** Edits the cell that was asked for; another one begins anew. */
export default function CellEditor({ list }: { list: ListHandle }) {
  const { edited } = list
  if (!edited) return null
  return <Editor key={`${rowId(edited.row)}${edited.field.name}`} list={list} cell={edited} />
}

const fieldOf = (row: unknown, name: string): unknown => (isRecord(row) ? row[name] : undefined)

/** Sets one field of one record below its cell. Enter keeps, Escape gives back; who was faster is shown beside. */
function Editor({ list, cell }: { list: ListHandle; cell: EditedCell<unknown> }) {
  const t = useListText()
  const kit = useKitText()
  const formats = useFormats()
  const { row, field, target } = cell
  const { feature } = list
  const label = fieldLabel(feature, field.name)
  const [value, setValue] = useState(() => fieldOf(row, field.name))
  const [base, setBase] = useState(row)
  const [theirs, setTheirs] = useState<{ value: unknown } | null>(null)
  const [error, setError] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const box = useRef<HTMLFormElement>(null)
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('input:not([type="hidden"]), textarea')?.focus()
  }, [])
  const shown = useRef(true)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])

  // While All is scrolled its rows take turns: what is edited is not left beside another record.
  useEffect(() => {
    if (target.closest('tr')?.dataset['row'] !== rowId(row)) list.edit(null)
  })

  const close = () => {
    // What comes late does not close the editor of another cell.
    if (!shown.current) return
    list.edit(null)
    focusCell(target)
  }
  const save = async () => {
    const { update } = list.options.resource ?? {}
    const sent = valueToSend(field, value)
    if (!update || JSON.stringify(sent) === JSON.stringify(fieldOf(base, field.name))) return close()
    setBusy(true)
    setError(undefined)
    try {
      await callAny(update, { id: rowId(row), version: fieldOf(base, 'version'), [field.name]: sent })
      await invalidateFeatures([feature])
      close()
      // What one did oneself shows at once.
      list.showWaiting()
    } catch (failure) {
      if (!isFailure(failure) || !shown.current) return toast.failure(failure)
      const { code, params, message, errors, current } = failure.body
      if (code === 'record.stale' && isRecord(current)) {
        // What was typed stays; the next try is made on what is there now.
        setBase(current)
        setTheirs({ value: current[field.name] })
        return
      }
      const first = errors?.[0]
      setError(
        first ? fieldErrorText(first.code, first.params, first.message) : errorText(code, params, message),
      )
    } finally {
      setBusy(false)
    }
  }
  return (
    <Popover
      opened
      // What was typed is kept when the pointer goes elsewhere; only Escape and Cancel give it back.
      onChange={() => {
        if (!theirs && !busy) void save()
      }}
      closeOnEscape={false}
      position="bottom-start"
      width={Math.max(280, Math.min(420, target.offsetWidth))}
      trapFocus
    >
      <Popover.Target>
        <Anchor to={target} />
      </Popover.Target>
      <Popover.Dropdown p={12}>
        {/* Keys of the fields inside are meant for the editor and not for the list below. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <form
          ref={box}
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
          onKeyDown={(event) => {
            event.stopPropagation()
            if (event.key === 'Escape' && !event.defaultPrevented) close()
          }}
        >
          {theirs && (
            <div className={classes.conflict} role="alert">
              <p>{t('edit.conflict')}</p>
              <dl>
                <dt>{kit('form.theirs')}</dt>
                <dd>{wordsOf(feature, field, theirs.value, formats)}</dd>
                <dt>{kit('form.mine')}</dt>
                <dd>{wordsOf(feature, field, value, formats)}</dd>
              </dl>
              <Group gap={8}>
                <Button size="compact-xs" variant="default" onClick={close}>
                  {t('edit.keepTheirs')}
                </Button>
                <Button size="compact-xs" loading={busy} onClick={() => void save()}>
                  {t('edit.keepMine')}
                </Button>
              </Group>
            </div>
          )}
          <FieldInput
            inPopup
            feature={feature}
            field={field}
            tags={list.options.resource?.tags}
            label={label}
            value={value}
            error={error}
            onChange={(next) => {
              setError(undefined)
              setValue(next)
            }}
            onEnter={() => void save()}
          />
          <p className={classes.hint}>{t(field.kind === 'notes' ? 'edit.keysLong' : 'edit.keys')}</p>
          <Group gap={8} justify="flex-end">
            <Button size="compact-sm" variant="default" onClick={close}>
              {kit('common.cancel')}
            </Button>
            <Button size="compact-sm" type="submit" loading={busy}>
              {kit('common.save')}
            </Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

function focusCell(cell: HTMLElement): void {
  cell.tabIndex = -1
  cell.focus({ preventScroll: true })
}

function wordsOf(feature: string, field: ListField, value: unknown, formats: Formats): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.join(', ') || '–'
  if (typeof value !== 'string') return JSON.stringify(value)
  return field.kind === 'dateTime' ? formats.dateTime(value) : optionOr(feature, field.name, value)
}

/** The word of an enum's value; any other text as it is. */
function optionOr(feature: string, name: string, value: string): string {
  return /^[a-z_]+$/.test(value) ? optionLabel(feature, name, value) : value
}
