import { Component, type ReactNode } from 'react';
import { EmptyState } from './EmptyState';

/** A fault of ours in one view leaves the frame and the other views usable. */
export class ErrorBoundary extends Component<
  { place: string; children: ReactNode },
  { message: string | null }
> {
  override state = { message: null };

  static getDerivedStateFromError(cause: unknown) {
    return { message: String(cause) };
  }

  override componentDidUpdate(before: { place: string }): void {
    if (before.place !== this.props.place && this.state.message !== null) this.setState({ message: null });
  }

  override render() {
    if (this.state.message === null) return this.props.children;
    return (
      <EmptyState
        title="This view broke."
        footer="That is a fault of Rollscope, not of your run; the other views go on."
      >
        {this.state.message}
      </EmptyState>
    );
  }
}
