import { ErrorPage } from '../../app/error-page.tsx'

export default function Error404() {
  return <ErrorPage code="404" />
}
