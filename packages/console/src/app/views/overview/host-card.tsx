import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { formatBytes, formatDuration } from '../../components/format.ts'
import { useSession } from '../../session/session-context.ts'
import { Section } from '../../shell/view.tsx'
import { Facts } from './facts.tsx'

const REFRESH_MS = 15_000

/** Shows the process that serves the console, and where its state is stored. */
export function HostCard() {
  const { console, host: first } = useSession()
  const { data: host } = useQuery({
    queryKey: ['host'],
    queryFn: ({ signal }) => expectOk(console.getHost({ signal })),
    initialData: first,
    refetchInterval: REFRESH_MS,
  })
  return (
    <Section title="Server">
      <Facts
        facts={[
          ['Version', host.version],
          ['Uptime', formatDuration(Date.now() - Date.parse(host.started_at))],
          ['Memory', formatBytes(host.memory)],
          ...host.state.map(({ name, place }) => [name, place] as const),
        ]}
      />
    </Section>
  )
}
