import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useEmulation } from '../../hooks/use-emulation.ts'
import { topicKey } from '../../live/topic-key.ts'
import { Facts } from './facts.tsx'
import { loadingHealth, ServiceCard, unreachableHealth } from './service-card.tsx'

export function EmulationCard({ description }: { readonly description: string }) {
  const emulation = useEmulation()
  const version = useQuery({
    queryKey: ['emulation', 'version'],
    queryFn: ({ signal }) => expectOk(emulation.getVersion({ signal })),
  })
  const projects = useQuery({
    queryKey: topicKey('emulation', 'projects'),
    queryFn: ({ signal }) => expectOk(emulation.listProjects({ signal })),
  })
  const isUp = version.data !== undefined && projects.data !== undefined
  const health = isUp
    ? ({ tone: 'good', word: 'healthy' } as const)
    : version.isError || projects.isError
      ? unreachableHealth
      : loadingHealth
  return (
    <ServiceCard name="Emulation" path="/emulation" description={description} health={health}>
      {isUp && (
        <Facts
          facts={[
            ['Version', version.data.version],
            ['Projects', projects.data.length],
          ]}
        />
      )}
    </ServiceCard>
  )
}
