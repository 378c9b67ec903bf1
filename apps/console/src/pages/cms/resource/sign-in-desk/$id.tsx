import { useParams } from 'react-router'
import { ViewerPage } from '../../../../features/desk/viewer/viewer-page.tsx'

/** A browser that a person has in hand. */
export default function SignInPage() {
  const { id = '' } = useParams()
  return <ViewerPage id={id} />
}
