import { Component, type ReactNode } from 'react'
import { forgetFailedParts } from './part/lazy-part.tsx'

type Props = { children: ReactNode; fallback: (error: unknown, reset: () => void) => ReactNode }

/** A part of the screen that failed says so in its own place; what stands around it stays as it is. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  /** Resets the failed parts, so that the next boundary in this place loads them again. */
  override componentWillUnmount() {
    if (this.state.error !== undefined) forgetFailedParts()
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return this.props.fallback(this.state.error, () => {
      forgetFailedParts()
      this.setState({ error: undefined })
    })
  }
}
