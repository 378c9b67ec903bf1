import { ErrorPage } from '../../app/error-page.tsx'

export default function Error401() {
  return <ErrorPage code="401" />
}
