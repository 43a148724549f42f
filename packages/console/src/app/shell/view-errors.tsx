import { Component, type ReactNode } from 'react'
import { Button } from '../components/button.tsx'
import { ErrorNote, errorMessage } from '../components/error-note.tsx'
import { NotLoadedError } from '../components/lazy-component.ts'
import { NotLoaded } from './not-loaded.tsx'

interface State {
  readonly error?: unknown
}

/** Shows the error of a view that fails. The other views keep working. */
export class ViewErrors extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    if (this.state.error instanceof NotLoadedError) return <NotLoaded />
    return (
      <ErrorNote>
        <p>This view failed: {errorMessage(this.state.error)}</p>
        <Button onClick={() => location.reload()}>Load the page again</Button>
      </ErrorNote>
    )
  }
}
