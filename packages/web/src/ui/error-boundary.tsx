import { Component, type ReactNode } from 'react'

type Props = { children: ReactNode; fallback: (error: unknown, reset: () => void) => ReactNode }

/** A part of the screen that failed says so in its own place; what stands around it stays as it is. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return this.props.fallback(this.state.error, () => this.setState({ error: undefined }))
  }
}
