import { ErrorPage } from '../../app/error-page.tsx'

export default function Error403() {
  return <ErrorPage code="403" />
}
