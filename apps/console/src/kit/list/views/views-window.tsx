import { ActionIcon, Button, Group, Switch, TextInput } from '@mantine/core'
import {
  IconCheck,
  IconDeviceFloppy,
  IconHome,
  IconLink,
  IconPencil,
  IconPlus,
  IconRestore,
  IconTrash,
  IconUsers,
  IconUsersMinus,
} from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { roles } from '@weft/contract/roles/api'
import { views } from '@weft/contract/views/api'
import type { View } from '@weft/contract/views/schema'
import { call } from '../../../lib/api.ts'
import { can } from '../../../lib/can.ts'
import { isFailure } from '../../../lib/failure.ts'
import { fieldErrorText } from '../../../lib/i18n/names.ts'
import { useKitText } from '../../../lib/i18n/texts.ts'
import { invalidateFeatures } from '../../../lib/query.ts'
import { confirm } from '../../confirm/confirm.ts'
import { RecordPicker } from '../../fields/record-picker.tsx'
import type { PopupParts } from '../../popup/popup.tsx'
import { PopupWindow } from '../../popup/window.tsx'
import { toast } from '../../toast/toast.ts'
import { copyText } from '../../values/copy.ts'
import type { ListHandle } from '../handle.ts'
import { useListText } from '../text.ts'
import classes from './views.module.css'
import { NO_VIEW, stateOfView, viewStateOf } from './view-state.ts'

interface Props {
  list: ListHandle
  changed: boolean
  close: () => void
}

/** The views of a list: taking one, saving the present state as one, sharing, renaming, deleting. */
export function ViewsWindow({
  list,
  parts,
  changed,
}: {
  list: ListHandle
  parts: PopupParts
  changed: boolean
}) {
  return (
    <PopupWindow parts={parts} position="bottom-start" width={340}>
      <Views list={list} changed={changed} close={parts.onClose} />
    </PopupWindow>
  )
}

/** Makes a change of views; what goes wrong is a toast. */
async function change<R>(work: Promise<R>): Promise<R | undefined> {
  try {
    return await work
  } catch (error) {
    toast.failure(error)
    return undefined
  } finally {
    void invalidateFeatures(['views'])
  }
}

function Views(props: Props) {
  const t = useListText()
  const { list, changed } = props
  const { all, active } = list.views
  const [editing, setEditing] = useState<string | null>(null)
  const [naming, setNaming] = useState(false)
  const own = all?.views.filter((view) => view.own) ?? []
  const others = all?.views.filter((view) => !view.own) ?? []
  const current = all?.views.find(({ id }) => id === active?.id)
  const take = (view: View) => {
    list.setState(
      stateOfView(view.id, view.state, { filterNames: list.filterNames, sortable: list.sortable }),
    )
    props.close()
  }
  const row = (view: View) =>
    editing === view.id ? (
      <EditView key={view.id} list={list} view={view} done={() => setEditing(null)} />
    ) : (
      <ViewRow
        key={view.id}
        view={view}
        current={view.id === active?.id}
        usual={view.id === all?.defaultId}
        take={() => take(view)}
        edit={() => setEditing(view.id)}
      />
    )
  if (naming)
    return (
      <NameView
        list={list}
        done={(view) => {
          setNaming(false)
          if (view) list.setState({ view: view.id })
        }}
      />
    )
  return (
    <div>
      <button
        type="button"
        className={classes.row}
        aria-current={active ? undefined : 'true'}
        onClick={() => {
          list.setState({
            q: '',
            filters: {},
            sortBy: null,
            sortDesc: false,
            view: all?.defaultId ? NO_VIEW : null,
          })
          props.close()
        }}
      >
        <span className={classes.name}>{t('views.none')}</span>
        {all?.ownDefault && all.defaultId === null && <IconHome size={14} aria-label={t('views.usual')} />}
        {!active && <IconCheck size={16} aria-hidden />}
      </button>
      {!all && <p className={classes.hint}>{t('views.loading')}</p>}
      {own.length > 0 && <h2 className={classes.heading}>{t('views.own')}</h2>}
      {own.map(row)}
      {others.length > 0 && <h2 className={classes.heading}>{t('views.shared')}</h2>}
      {others.map(row)}
      <div className={classes.foot}>
        {current && changed && current.can.includes('update') && (
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconDeviceFloppy size={15} aria-hidden />}
            onClick={() =>
              void change(
                call(views.update, { id: current.id, state: viewStateOf(list.state, list.arrangement) }),
              )
            }
          >
            {t('views.saveChanges')}
          </Button>
        )}
        {current && changed && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconRestore size={15} aria-hidden />}
            onClick={() => take(current)}
          >
            {t('views.discard')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => setNaming(true)}
        >
          {t('views.save')}
        </Button>
      </div>
    </div>
  )
}

function ViewRow(props: {
  view: View
  current: boolean
  usual: boolean
  take: () => void
  edit: () => void
}) {
  const t = useListText()
  const { view } = props
  const marks: ReactNode[] = [
    props.usual && <IconHome key="usual" size={14} aria-label={t('views.usual')} />,
    view.own && view.shared && <IconUsers key="shared" size={14} aria-label={t('views.isShared')} />,
  ]
  return (
    <div className={classes.line}>
      <button
        type="button"
        className={classes.row}
        aria-current={props.current ? 'true' : undefined}
        onClick={props.take}
      >
        <span className={classes.name}>
          <bdi>{view.name}</bdi>
          {!view.own && <small>{t('views.by', { name: view.ownerName })}</small>}
        </span>
        {marks}
        {props.current && <IconCheck size={16} aria-hidden />}
      </button>
      <ActionIcon size={28} aria-label={t('views.edit', { name: view.name })} onClick={props.edit}>
        <IconPencil size={15} />
      </ActionIcon>
    </div>
  )
}

/** What can be done with one view. */
function EditView({ list, view, done }: { list: ListHandle; view: View; done: () => void }) {
  const t = useListText()
  const kit = useKitText()
  const [name, setName] = useState(view.name)
  const usual = list.views.all?.defaultId === view.id
  // Without a choice of one's own, the list would open with the role's again.
  const none = usual && list.views.all?.ownDefault === false
  const mayUpdate = view.can.includes('update')
  const rename = async () => {
    if (name.trim() === '' || name === view.name) return done()
    if (await change(call(views.update, { id: view.id, name }))) done()
  }
  const copyLink = async () => {
    const known = { filterNames: list.filterNames, sortable: list.sortable }
    if (await copyText(list.linkTo(stateOfView(view.id, view.state, known))))
      toast.success(kit('common.copied'))
  }
  return (
    <div className={classes.editor}>
      {mayUpdate ? (
        <TextInput
          size="xs"
          label={kit('fields.name')}
          value={name}
          maxLength={60}
          data-autofocus
          onChange={(event) => setName(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void rename()
          }}
        />
      ) : (
        <b>
          <bdi>{view.name}</bdi>
        </b>
      )}
      <button
        type="button"
        className={classes.row}
        onClick={() =>
          void change(call(views.setDefault, { list: view.list, viewId: usual ? null : view.id, none }))
        }
      >
        <IconHome size={16} aria-hidden />
        <span className={classes.name}>{t(usual ? 'views.notMyDefault' : 'views.myDefault')}</span>
      </button>
      {view.can.includes('share') && (view.own || view.shared) && (
        <button
          type="button"
          className={classes.row}
          onClick={() => void change(call(views.update, { id: view.id, shared: !view.shared }))}
        >
          {view.shared ? <IconUsersMinus size={16} aria-hidden /> : <IconUsers size={16} aria-hidden />}
          <span className={classes.name}>{t(view.shared ? 'views.unshare' : 'views.share')}</span>
        </button>
      )}
      {view.shared && can('UPDATE', 'ROLE') && <RoleDefault view={view} />}
      <button type="button" className={classes.row} onClick={() => void copyLink()}>
        <IconLink size={16} aria-hidden />
        <span className={classes.name}>{t('views.copyLink')}</span>
      </button>
      {view.can.includes('delete') && (
        <button
          type="button"
          className={classes.row}
          data-danger
          onClick={async () => {
            if (
              !(await confirm({
                name: view.name,
                action: kit('actions.delete'),
                text: t(view.shared ? 'views.deleteSharedText' : 'views.deleteText'),
              }))
            )
              return
            await change(call(views.remove, { id: view.id }))
            if (list.state.view === view.id) list.setState({ view: null })
            done()
          }}
        >
          <IconTrash size={16} aria-hidden />
          <span className={classes.name}>{kit('actions.delete')}</span>
        </button>
      )}
      <Group gap={8} justify="flex-end" mt={8}>
        <Button size="compact-sm" variant="default" onClick={done}>
          {kit('common.back')}
        </Button>
        {mayUpdate && (
          <Button size="compact-sm" onClick={() => void rename()}>
            {kit('common.save')}
          </Button>
        )}
      </Group>
    </div>
  )
}

/** The roles whose people the list opens with this view. */
function RoleDefault({ view }: { view: View }) {
  const t = useListText()
  const set = (roleId: string, on: boolean) =>
    void change(call(views.setDefault, { list: view.list, viewId: on ? view.id : null, roleId }))
  return (
    <div className={classes.roles}>
      <RecordPicker
        source={{ from: roles.list, get: roles.get, label: (role) => role.name }}
        label={t('views.roleDefault')}
        placeholder={t('views.roleDefault')}
        value={null}
        inPopup
        onChange={(id) => {
          if (id) set(id, true)
        }}
      />
      {view.roles.map((role) => (
        <Button key={role.id} size="compact-xs" variant="light" onClick={() => set(role.id, false)}>
          {t('views.ofRole', { name: role.name })}
        </Button>
      ))}
    </div>
  )
}

function NameView({ list, done }: { list: ListHandle; done: (view?: View) => void }) {
  const t = useListText()
  const kit = useKitText()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const state = viewStateOf(list.state, list.arrangement)
      const view = await call(views.create, { list: list.name, name, shared, state })
      await invalidateFeatures(['views'])
      done(view)
    } catch (failure) {
      const first = isFailure(failure) ? failure.body.errors?.[0] : undefined
      if (first) setError(fieldErrorText(first.code, first.params, first.message))
      else toast.failure(failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes.editor}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TextInput
        size="xs"
        label={t('views.name')}
        placeholder={t('views.nameExample')}
        value={name}
        error={error}
        maxLength={60}
        required
        data-autofocus
        autoFocus
        onChange={(event) => {
          setError(null)
          setName(event.currentTarget.value)
        }}
      />
      <Switch
        size="xs"
        mt={8}
        label={t('views.shareNew')}
        checked={shared}
        onChange={(event) => setShared(event.currentTarget.checked)}
      />
      <p className={classes.hint}>{t('views.keeps')}</p>
      <Group gap={8} justify="flex-end">
        <Button size="compact-sm" variant="default" onClick={() => done()}>
          {kit('common.cancel')}
        </Button>
        <Button size="compact-sm" type="submit" loading={busy} disabled={name.trim() === ''}>
          {kit('common.save')}
        </Button>
      </Group>
    </form>
  )
}
