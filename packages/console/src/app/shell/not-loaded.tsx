import { useEffect, useRef } from 'react'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { useLiveState } from '../live/live-context.tsx'

const reload = () => location.reload()

/** Shown for a view that could not be loaded. Reloads the page, because browsers can keep a failed import until then. */
export function NotLoaded() {
  const { status } = useLiveState()
  const wasDisconnected = useRef(false)
  useEffect(() => {
    if (status === 'live' && wasDisconnected.current) reload()
    wasDisconnected.current ||= status === 'reconnecting'
  }, [status])
  return (
    <ErrorNote>
      <p>
        {status === 'live'
          ? 'This view could not be loaded.'
          : 'The server cannot be reached. The page is loaded again when the connection is restored.'}
      </p>
      <Button onClick={reload}>Load the page again</Button>
    </ErrorNote>
  )
}
