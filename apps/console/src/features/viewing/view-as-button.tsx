import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import type { Person } from '@weft/contract/users/schema'
import { Suspense, lazy, useState, useSyncExternalStore } from 'react'
import { useCan } from '../../lib/can.ts'
import { signedIn } from '../../lib/session/session.ts'
import { useT } from './text.ts'

const ViewAsDialog = lazy(() => import('./view-as-dialog.tsx'))

/** Opens the console as a person sees it; there for who may manage them, and never for oneself. */
export function ViewAsButton({
  person,
}: {
  person: Pick<Person, 'id' | 'username' | 'displayName' | 'ownerId' | 'status'>
}) {
  const t = useT()
  const can = useCan()
  const info = useSyncExternalStore(signedIn.subscribe, signedIn.get)
  const [open, setOpen] = useState(false)
  if (!info || info.viewing || info.user.id === person.id || person.status !== 'active') return null
  if (!can('MANAGE', 'USER', person)) return null
  return (
    <>
      <Button variant="default" leftSection={<IconEye size={16} aria-hidden />} onClick={() => setOpen(true)}>
        {t('actions.viewAs')}
      </Button>
      <Suspense fallback={null}>
        {open && <ViewAsDialog person={person} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
