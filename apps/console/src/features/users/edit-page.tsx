import { useNavigate, useParams } from 'react-router'
import { users } from '@weft/contract/users/api'
import { TextField } from '../../kit/fields/text.tsx'
import { FormPage } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { LimitFields, PlaceFields, RolesField } from './fields.tsx'
import { personPath } from './paths.ts'
import { useT } from './text.ts'
import { signedIn } from '../../lib/session/session.ts'

/** Changes a person, as a page. */
export function EditPersonPage() {
  const t = useT()
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const back = personPath(id)
  const form = useResourceForm(
    { get: users.get, update: users.update },
    { closeTo: back, onDone: () => void navigate(back) },
  )
  const name = form.record?.['username']
  const own = signedIn.get()?.user.id === id
  const title = typeof name === 'string' ? `${t('editTitle')} · ${name}` : t('editTitle')
  return (
    <FormPage form={form} back={back} title={title}>
      <TextField name="displayName" />
      <TextField name="email" ltr />
      <RolesField />
      <PlaceFields />
      {!own && <LimitFields />}
    </FormPage>
  )
}
