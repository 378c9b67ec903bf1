import { useNavigate, useParams } from 'react-router'
import { users } from '@weft/contract/users/api'
import { TextField } from '../../kit/fields/text.tsx'
import { FormPage } from '../../kit/form/form.tsx'
import { useResourceForm } from '../../kit/form/use-resource-form.ts'
import { LimitFields, PlaceFields, RolesField } from './fields.tsx'
import { personPath } from './paths.ts'
import { signedIn } from '../../lib/session/session.ts'

/** Changes a person, as a page. */
export function EditPersonPage() {
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const back = personPath(id)
  const form = useResourceForm(
    { get: users.get, update: users.update },
    { closeTo: back, onDone: () => void navigate(back) },
  )
  const own = signedIn.get()?.user.id === id
  return (
    <FormPage form={form} back={back}>
      <TextField name="displayName" />
      <TextField name="email" ltr />
      <RolesField />
      <PlaceFields />
      {!own && <LimitFields />}
    </FormPage>
  )
}
