import { Button } from '@mantine/core'
import { IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { roles } from '@weft/contract/roles/api'
import type { Role } from '@weft/contract/roles/schema'
import { Page } from '../../kit/page/page.tsx'
import { PageTabs } from '../../kit/page/tabs.tsx'
import { Load } from '../../kit/states/states.tsx'
import { useCan } from '../../lib/can.ts'
import { text } from '../../lib/i18n/texts.ts'
import { useRead } from '../../lib/query.ts'
import { roleName } from '../users/roles.ts'
import { DeleteRole } from './delete-dialog.tsx'
import { RoleEditor, type NewRole } from './editor.tsx'
import { ExplainPanel } from './explain-panel.tsx'
import { newRolePath, ROLES_PATH } from './paths.ts'
import { RoleList } from './role-list.tsx'
import classes from './roles.module.css'
import { useT } from './text.ts'

const ALL = { perPage: 1000, sortBy: 'name' } as const
const EMPTY: NewRole = { name: '', description: '', rules: [], requiresTwoSteps: false }

/** What roles allow, and why somebody may do something or not. */
export function PermissionPage() {
  const t = useT()
  const may = useCan()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (
    <Page
      title={t('title')}
      actions={
        may('CREATE', 'ROLE') &&
        search.get('tab') === null && (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            variant={search.get('role') === 'new' ? 'default' : 'filled'}
            onClick={() => void navigate(newRolePath())}
          >
            {t('newRole')}
          </Button>
        )
      }
    >
      <PageTabs
        tabs={[
          { id: 'roles', label: t('tabs.roles'), content: <Roles /> },
          ...(may('VIEW', 'USER')
            ? [{ id: 'explain', label: t('tabs.explain'), content: <ExplainPanel /> }]
            : []),
        ]}
      />
    </Page>
  )
}

function Roles() {
  const t = useT()
  const may = useCan()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const [deleting, setDeleting] = useState<Role | null>(null)
  const list = useRead(roles.list, ALL)
  const catalogue = useRead(roles.catalogue, {})
  const wanted = search.get('role')
  return (
    <Load of={list}>
      {({ data }) => (
        <Load of={catalogue}>
          {(functions) => {
            // Those that come with the program first, as they are what most people have.
            const ordered = data.toSorted((a, b) => Number(b.builtIn) - Number(a.builtIn))
            const isNew = wanted === 'new'
            const open = isNew ? null : (ordered.find(({ id }) => id === wanted) ?? ordered[0] ?? null)
            const source = data.find(({ id }) => id === search.get('copy'))
            const start: NewRole = open ?? (source ? copyOf(source) : EMPTY)
            return (
              <div className={classes.layout}>
                <RoleList roles={ordered} openId={open?.id ?? null} />
                <div className={classes.main}>
                  {open && (
                    <div className={classes.roleTools}>
                      {may('CREATE', 'ROLE') && (
                        <Button
                          variant="default"
                          size="compact-sm"
                          leftSection={<IconCopy size={15} aria-hidden />}
                          onClick={() => void navigate(newRolePath(open.id))}
                        >
                          {t('actions.copyRole')}
                        </Button>
                      )}
                      {open.can.includes('delete') && (
                        <Button
                          variant="default"
                          size="compact-sm"
                          leftSection={<IconTrash size={15} aria-hidden />}
                          onClick={() => setDeleting(open)}
                        >
                          {text('kit:actions.delete')}
                        </Button>
                      )}
                    </div>
                  )}
                  {(open || isNew) && (
                    <RoleEditor
                      key={open ? `${open.id} ${open.version}` : `new ${source?.id ?? ''}`}
                      role={open}
                      start={start}
                      functions={functions}
                    />
                  )}
                </div>
                {deleting && (
                  <DeleteRole
                    role={deleting}
                    others={ordered.filter(({ id }) => id !== deleting.id)}
                    onClose={() => setDeleting(null)}
                    onDone={() => {
                      setDeleting(null)
                      void navigate(ROLES_PATH)
                    }}
                  />
                )}
              </div>
            )
          }}
        </Load>
      )}
    </Load>
  )

  function copyOf(role: Role): NewRole {
    return { ...role, name: t('copyOf', { name: roleName(role.key, role.name) }) }
  }
}
