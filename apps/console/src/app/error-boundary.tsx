import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ErrorPage } from './error-page.tsx'

interface Props {
  /** A change of it tries again. */
  resetKey: string
  children: ReactNode
}

/** Catches what a page throws, so that the frame stays and the person can go elsewhere. */
export class ErrorBoundary extends Component<Props, { error: unknown; failed: boolean }> {
  override state: { error: unknown; failed: boolean } = { error: null, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.resetKey !== this.props.resetKey)
      this.setState({ error: null, failed: false })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <ErrorPage
        code="500"
        stale={isMissingChunk(this.state.error)}
        onRetry={() => this.setState({ error: null, failed: false })}
      />
    )
  }
}

/** A page's code that is no longer on the server: a new version was installed meanwhile. */
export function isMissingChunk(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|Importing a module script failed|Unable to preload/i.test(error.message)
  )
}
