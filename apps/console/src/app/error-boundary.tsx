import { Component, type ErrorInfo, type ReactNode } from 'react'
import { isMissingChunk } from '../lib/failure.ts'
import { pageShown } from '../lib/page-loaded.ts'
import { ErrorPage } from './error-page.tsx'

interface Props {
  /** A change of it tries again. */
  resetKey: string
  children: ReactNode
}

interface State {
  resetKey: string
  error: unknown
  failed: boolean
}

/** Catches what a page throws, so that the frame stays and the person can go elsewhere. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { resetKey: this.props.resetKey, error: null, failed: false }

  static getDerivedStateFromError(error: unknown) {
    return { error, failed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (state.resetKey === props.resetKey) return null
    return { resetKey: props.resetKey, error: null, failed: false }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error(error, info.componentStack)
    pageShown()
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <ErrorPage
        code="500"
        stale={isMissingChunk(this.state.error)}
        detail={this.state.error instanceof Error ? this.state.error.message : undefined}
        onRetry={() => this.setState({ error: null, failed: false })}
      />
    )
  }
}
