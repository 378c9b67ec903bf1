import { ErrorPage } from '../../app/error-page.tsx'

export default function Error500() {
  return <ErrorPage code="500" />
}
