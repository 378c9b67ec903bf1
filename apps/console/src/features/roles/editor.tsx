import { Button, Switch, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { roles } from '@weft/contract/roles/api'
import { FUNCTION_GROUPS, type FunctionEntry, type Role } from '@weft/contract/roles/schema'
import { GrowingText } from '../../kit/fields/growing-text.tsx'
import { useUnsaved } from '../../kit/form/use-unsaved.ts'
import { Section } from '../../kit/page/page.tsx'
import { toast } from '../../kit/toast/toast.ts'
import { call } from '../../lib/api.ts'
import { fieldLabel } from '../../lib/i18n/names.ts'
import { text } from '../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../lib/query.ts'
import { roleName } from '../users/roles.ts'
import { CellBar } from './cell-bar.tsx'
import { CellDrawer } from './cell-drawer.tsx'
import { Matrix, StateIcon, type CellPlace } from './matrix.tsx'
import { cellKey, changedCells, matrixOf, NOTHING, rulesOf, type Matrix as Cells } from './model/cells.ts'
import { PreviewDialog } from './preview-dialog.tsx'
import { rolePath } from './paths.ts'
import classes from './roles.module.css'
import { useT } from './text.ts'

/** What a role is while it is edited. */
interface Draft {
  name: string
  description: string
  requiresTwoSteps: boolean
  cells: Cells
}

/** A role that is not there yet, as the editor begins with it. */
export type NewRole = Pick<Role, 'name' | 'description' | 'rules' | 'requiresTwoSteps'>

const draftOf = (role: NewRole): Draft => ({
  name: role.name,
  description: role.description,
  requiresTwoSteps: role.requiresTwoSteps,
  cells: matrixOf(role.rules),
})

/** One role: its name, what it allows, and saving with a look at what that changes. */
export function RoleEditor(props: {
  role: Role | null
  start: NewRole
  functions: readonly FunctionEntry[]
}) {
  const t = useT()
  const navigate = useNavigate()
  const { role, functions } = props
  const isNew = role === null
  const [before, setBefore] = useState(() => draftOf(props.start))
  const [draft, setDraft] = useState(before)
  const [chosen, setChosen] = useState(() => firstOf(functions))
  const [open, setOpen] = useState<CellPlace | null>(null)
  const [preview, setPreview] = useState<'look' | 'save' | null>(null)
  const [busy, setBusy] = useState(false)
  const [nameError, setNameError] = useState<string | null>(null)
  const readOnly = !isNew && !role.can.includes('update')
  const mayRequire = isNew || role.can.includes('requireTwoSteps')
  const changed = useMemo(
    () => (isNew ? new Set<string>() : changedCells(before.cells, draft.cells)),
    [before, draft.cells, isNew],
  )
  const isDirty = JSON.stringify(draft) !== JSON.stringify(before)
  useUnsaved(isDirty && !busy, { words: 'roles:save.leaveText' })

  const entryOf = (place: CellPlace | null) => functions.find(({ subject }) => subject === place?.subject)
  const cellOf = (place: CellPlace) => draft.cells[cellKey(place.subject, place.action)] ?? NOTHING
  const change = (changes: Cells) => setDraft((now) => ({ ...now, cells: { ...now.cells, ...changes } }))
  const set = (more: Partial<Draft>) => setDraft((now) => ({ ...now, ...more }))

  const save = async () => {
    if (draft.name.trim() === '') return setNameError(t('save.nameNeeded'))
    setBusy(true)
    try {
      const { name, description, requiresTwoSteps } = draft
      const rules = rulesOf(draft.cells)
      const saved = isNew
        ? await call(roles.create, { name, description, requiresTwoSteps, rules })
        : await call(roles.update, {
            id: role.id,
            version: role.version,
            ...(name === before.name ? {} : { name }),
            ...(description === before.description ? {} : { description }),
            ...(requiresTwoSteps === before.requiresTwoSteps ? {} : { requiresTwoSteps }),
            ...(changed.size > 0 ? { rules } : {}),
          })
      setBefore(draft)
      setPreview(null)
      toast.success(text(isNew ? 'kit:toasts.created' : 'kit:toasts.updated'))
      await invalidateFeatures(['roles', 'users'])
      if (isNew) void navigate(rolePath(saved.id))
    } catch (error) {
      toast.failure(error)
    } finally {
      setBusy(false)
    }
  }
  const begin = () => {
    if (draft.name.trim() === '') setNameError(t('save.nameNeeded'))
    else if (!isNew && changed.size > 0) setPreview('save')
    else void save()
  }
  const name = isNew ? draft.name : roleName(role.key, role.name)

  return (
    <div className={classes.editor}>
      <Section flush>
        <div className={classes.facts}>
          <TextInput
            label={fieldLabel('roles', 'name')}
            value={readOnly ? name : draft.name}
            onChange={(event) => {
              setNameError(null)
              set({ name: event.currentTarget.value })
            }}
            error={nameError}
            readOnly={readOnly}
            maxLength={120}
            required={!readOnly}
            withAsterisk={false}
          />
          <GrowingText
            label={fieldLabel('roles', 'description')}
            value={draft.description}
            onChange={(event) => set({ description: event.currentTarget.value })}
            readOnly={readOnly}
            maxLength={2000}
            minRows={1}
            maxRows={4}
          />
          <Switch
            label={fieldLabel('roles', 'requiresTwoSteps')}
            description={t('help.requiresTwoSteps')}
            checked={draft.requiresTwoSteps}
            onChange={(event) => set({ requiresTwoSteps: event.currentTarget.checked })}
            disabled={!mayRequire}
          />
        </div>
        {readOnly && <p className={classes.fixed}>{t(`fixed.${reasonOf(role)}`)}</p>}
        <CellBar
          place={chosen}
          entry={entryOf(chosen)}
          cell={chosen ? cellOf(chosen) : undefined}
          readOnly={readOnly}
          onSet={(cell) => chosen && change({ [cellKey(chosen.subject, chosen.action)]: cell })}
          onOpen={() => setOpen(chosen)}
        />
        <Matrix
          name={name}
          functions={functions}
          cells={draft.cells}
          changed={changed}
          readOnly={readOnly}
          chosen={chosen}
          onChoose={setChosen}
          onChange={change}
          onOpen={setOpen}
        />
        <div className={classes.legend}>
          {(['yes', 'own', 'some', 'no'] as const).map((state) => (
            <span key={state}>
              <StateIcon state={state} /> {t(`states.${state}`)}
            </span>
          ))}
          {!readOnly && <span className={classes.keys}>{t('matrix.keys')}</span>}
        </div>
      </Section>
      {(isDirty || isNew) && (
        <section className={classes.saveBar} aria-label={t('save.unsaved')}>
          <span aria-live="polite">
            {isNew || changed.size === 0 ? t('save.unsaved') : t('save.changes', { count: changed.size })}
          </span>
          <span className={classes.saveTools}>
            {isDirty && !isNew && (
              <Button variant="default" size="sm" onClick={() => setDraft(before)}>
                {t('save.discard')}
              </Button>
            )}
            {!isNew && changed.size > 0 && (
              <Button variant="default" size="sm" onClick={() => setPreview('look')}>
                {t('save.preview')}
              </Button>
            )}
            <Button size="sm" loading={busy} onClick={begin}>
              {t(isNew ? 'save.create' : 'save.save')}
            </Button>
          </span>
        </section>
      )}
      {open && entryOf(open) && (
        <OpenCell
          key={cellKey(open.subject, open.action)}
          place={open}
          entry={entryOf(open)}
          cell={cellOf(open)}
          readOnly={readOnly}
          onApply={(cell) => {
            change({ [cellKey(open.subject, open.action)]: cell })
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {preview && role && (
        <PreviewDialog
          id={role.id}
          rules={rulesOf(draft.cells)}
          busy={busy}
          onSave={() => void save()}
          onClose={() => setPreview(null)}
        />
      )}
    </div>
  )
}

/** The cell that the grid begins with, so that what stands above it has its height from the start. */
function firstOf(functions: readonly FunctionEntry[]): CellPlace | null {
  for (const group of FUNCTION_GROUPS)
    for (const entry of functions)
      if (entry.group === group && entry.actions[0])
        return { subject: entry.subject, action: entry.actions[0] }
  return null
}

function OpenCell({
  entry,
  ...props
}: Omit<Parameters<typeof CellDrawer>[0], 'entry'> & { entry: FunctionEntry | undefined }) {
  return entry ? <CellDrawer {...props} entry={entry} /> : null
}

function reasonOf(role: Role): 'builtIn' | 'beyond' | 'denied' {
  const reason = role.cannot?.['update']
  if (role.builtIn || reason === 'role.built_in') return 'builtIn'
  return reason === 'role.beyond_own' ? 'beyond' : 'denied'
}
