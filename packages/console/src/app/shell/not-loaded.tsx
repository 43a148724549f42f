import { useEffect, useRef } from 'react'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { useLiveState } from '../live/live-context.tsx'

const reload = () => location.reload()

/** Where a part of a view did not come. Browsers may keep a failed import for as long as the page: it is loaded again. */
export function NotLoaded() {
  const { status } = useLiveState()
  const wasAway = useRef(false)
  useEffect(() => {
    if (status === 'live' && wasAway.current) reload()
    wasAway.current ||= status === 'reconnecting'
  }, [status])
  return (
    <ErrorNote>
      <p>
        {status === 'live'
          ? 'This view could not be loaded.'
          : 'The server cannot be reached. This view is loaded once the connection is back.'}
      </p>
      <Button onClick={reload}>Load the page again</Button>
    </ErrorNote>
  )
}
