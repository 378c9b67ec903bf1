import { Alert, Button, TextInput } from '@mantine/core'
import { IconFolderPlus, IconLinkPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { routes } from '@weft/contract/routes/api'
import type { MenuState, MenuTree } from '@weft/contract/routes/schema'
import { useChange } from '../../../kit/actions/use-change.ts'
import { Page, Section } from '../../../kit/page/page.tsx'
import { Load } from '../../../kit/states/states.tsx'
import { toast } from '../../../kit/toast/toast.ts'
import { useCan } from '../../../lib/can.ts'
import { isFailure } from '../../../lib/failure.ts'
import { currentLanguage } from '../../../lib/i18n/languages.ts'
import { fieldErrorText } from '../../../lib/i18n/names.ts'
import { randomId } from '../../../lib/id.ts'
import { text } from '../../../lib/i18n/texts.ts'
import { useRead } from '../../../lib/query.ts'
import type { FormError } from '../../../kit/form/schema-info.ts'
import { useUnsaved } from '../../../kit/form/use-unsaved.ts'
import { add, rowsOf, tidy } from '../model/tree.ts'
import { useT } from '../text.ts'
import { nameOf, type Look } from './context.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { Preview } from './preview.tsx'
import { TreeList } from './tree-list.tsx'
import { Versions } from './versions.tsx'
import classes from './editor.module.css'

/** The console's menu: arranged, previewed as a role, kept in versions. */
export function RouteEditor({ look }: { look: Look }) {
  const record = useRead(routes.get, {})
  return <Load of={record}>{(state) => <Editor state={state} look={look} />}</Load>
}

function Editor({ state, look }: { state: MenuState; look: Look }) {
  const t = useT()
  const readOnly = !useCan()('UPDATE', 'ROUTE')
  // What is worked on, and the version that it began with.
  const [draft, setDraft] = useState<{ tree: MenuTree; version: number } | null>(null)
  const [editing, setEditing] = useState<string | null>(null)
  const [note, setNote] = useState('')
  const [errors, setErrors] = useState<readonly FormError[]>([])
  const pages = useMemo(() => new Map(state.pages.map((page) => [page.path, page])), [state.pages])
  const tree = draft?.tree ?? state.tree
  const dirty = draft !== null && JSON.stringify(tidy(draft.tree)) !== JSON.stringify(tidy(state.tree))
  useUnsaved(dirty, { words: 'routes:leaveText' })
  const change = (next: MenuTree) => {
    setDraft({ tree: next, version: draft?.version ?? state.version })
    setErrors([])
  }
  const forget = () => {
    setDraft(null)
    setErrors([])
    setNote('')
  }
  const save = useChange(routes.save, { done: t('saved'), quiet: true, onDone: forget })
  const submit = () =>
    save.mutate(
      { version: draft?.version ?? state.version, tree: tidy(tree), note },
      {
        onError: (error) => {
          const wrong = isFailure(error) ? (error.body.errors ?? []) : []
          setErrors(wrong)
          if (wrong.length === 0) toast.failure(error)
        },
      },
    )
  const addOwn = (kind: 'group' | 'link') => {
    const id = randomId()
    const titles = { [currentLanguage.get().code]: t(`new.${kind}`) }
    change(
      add(
        tree,
        kind === 'group' ? { kind, id, titles, children: [] } : { kind, id, titles, url: 'https://' },
      ),
    )
    setEditing(id)
  }
  const overtaken = draft !== null && draft.version !== state.version
  return (
    <Page
      title={t('title')}
      lead={t('lead')}
      actions={
        !readOnly && (
          <>
            <Button
              variant="default"
              leftSection={<IconFolderPlus size={16} aria-hidden />}
              onClick={() => addOwn('group')}
            >
              {t('addGroup')}
            </Button>
            <Button
              variant="default"
              leftSection={<IconLinkPlus size={16} aria-hidden />}
              onClick={() => addOwn('link')}
            >
              {t('addLink')}
            </Button>
          </>
        )
      }
    >
      {overtaken && (
        <Alert color="yellow" title={t('overtaken.title')}>
          {t('overtaken.text')}{' '}
          <Button size="compact-xs" variant="default" onClick={forget}>
            {t('overtaken.take')}
          </Button>{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => setDraft({ tree, version: state.version })}
          >
            {t('overtaken.keep')}
          </Button>
        </Alert>
      )}
      {errors.length > 0 && (
        <Alert color="red" title={t('broken')} role="alert">
          <ul className={classes.errors}>
            {errors.map((error) => (
              <li key={`${error.path} ${error.code}`}>
                {nameAt(tree, error.path, (entry) => nameOf(entry, pages, look))}
                {fieldErrorText(error.code, error.params, error.message)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <div className={classes.columns}>
        <Section title={t('menu')}>
          <TreeList
            tree={tree}
            pages={pages}
            look={look}
            readOnly={readOnly}
            onChange={change}
            onEdit={setEditing}
          />
        </Section>
        <div className={classes.side}>
          <Preview tree={tree} look={look} />
          <Versions state={state} readOnly={readOnly} />
        </div>
      </div>
      {dirty && (
        <section className={classes.saveBar} aria-label={t('unsaved')}>
          <TextInput
            className={classes.note ?? ''}
            aria-label={t('note')}
            placeholder={t('note')}
            maxLength={200}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          <Button variant="default" onClick={forget}>
            {t('discard')}
          </Button>
          <Button loading={save.isPending} disabled={overtaken} onClick={submit}>
            {text('kit:common.save')}
          </Button>
        </section>
      )}
      <EntryDrawer
        tree={tree}
        entryKey={editing}
        pages={pages}
        look={look}
        onChange={change}
        close={() => setEditing(null)}
      />
    </Page>
  )
}

/** The name of the entry that an error is about, out of its place in the tree. */
function nameAt(
  tree: MenuTree,
  path: string,
  name: (entry: ReturnType<typeof rowsOf>[number]['entry']) => string,
): string {
  const [, top, , inner] = /^tree\.(\d+)(\.children\.(\d+))?/.exec(path) ?? []
  const at = top === undefined ? undefined : tree[Number(top)]
  const entry =
    inner === undefined || at === undefined || at.kind === 'link' ? at : at.children?.[Number(inner)]
  return entry ? `${name(entry)}: ` : ''
}
