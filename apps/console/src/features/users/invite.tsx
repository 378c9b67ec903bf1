import { z } from 'zod'
import { useNavigate } from 'react-router'
import { users } from '@weft/contract/users/api'
import { FormDrawer } from '../../kit/form/form.tsx'
import { TextField } from '../../kit/fields/text.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { shownLink } from './dialogs.ts'
import { LimitFields, PlaceFields, RolesField } from './fields.tsx'
import { PEOPLE_PATH } from './paths.ts'
import { useT } from './text.ts'

const answer = z.object({
  user: z.object({ displayName: z.string(), email: z.string().nullable() }),
  link: z.object({ url: z.string(), expiresAt: z.string() }),
})

/** Invites somebody, in a drawer; then shows their one-time link. */
export function InviteForm() {
  const t = useT()
  const navigate = useNavigate()
  const form = useResourceForm(
    { create: users.create },
    {
      initial: { roles: [] },
      onDone(saved) {
        const { user, link } = answer.parse(saved)
        shownLink.set({ kind: 'invited', person: user, ...link })
        void navigate(PEOPLE_PATH)
      },
    },
  )
  return (
    <FormDrawer form={form} title={t('invite.title')} submitLabel={t('invite.submit')} size={520}>
      <TextField name="username" ltr />
      <TextField name="displayName" />
      <TextField name="email" ltr />
      <RolesField />
      <PlaceFields />
      <LimitFields />
    </FormDrawer>
  )
}
