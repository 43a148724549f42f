import { EmptyState } from '../../components/empty-state.tsx'
import { formatTimeOfDay } from '../../components/format.ts'
import { useLiveState } from '../../live/live-context.tsx'
import { Section } from '../../shell/view.tsx'

/** Shows the last activities of all services, and each new one. */
export function ActivityFeed() {
  const { activities } = useLiveState()
  return (
    <Section title="Activity">
      {activities.length === 0 ? (
        <EmptyState title="No activities yet">
          Create an API key, a project or a quota rule, here or through the API. The activity appears here immediately.
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
        <ol className="activity-feed" aria-label="Activities, newest first" tabIndex={0}>
          {activities.map(({ number, at, service, summary }) => (
            <li key={`${at} ${number}`}>
              <time className="quiet" dateTime={at}>
                {formatTimeOfDay(at)}
              </time>
              <span className="quiet">{service}</span>
              <span>{summary}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
