import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { formatBytes } from '../../components/format.ts'
import { Meter } from '../../components/meter.tsx'
import { useStorage } from '../../hooks/use-storage.ts'
import { topicKey } from '../../live/topic-key.ts'
import { Facts } from './facts.tsx'
import { loadingHealth, ServiceCard, unreachableHealth } from './service-card.tsx'

const REFRESH_MS = 15_000

export function StorageCard({ description }: { readonly description: string }) {
  const storage = useStorage()
  const cluster = useQuery({
    queryKey: ['storage', 'cluster'],
    queryFn: ({ signal }) => expectOk(storage.getCluster({ signal })),
  })
  const volumes = useQuery({
    queryKey: topicKey('storage', 'volumes', 'overview'),
    queryFn: ({ signal }) => expectOk(storage.listVolumes({ query: { fields: 'name,space,quota.state' }, signal })),
    refetchInterval: REFRESH_MS,
  })
  const isUp = cluster.data !== undefined && volumes.data !== undefined
  const health = isUp
    ? ({ tone: 'good', word: 'healthy' } as const)
    : cluster.isError || volumes.isError
      ? unreachableHealth
      : loadingHealth
  return (
    <ServiceCard name="Storage" path="/storage" description={description} health={health}>
      {isUp && (
        <>
          <Facts facts={[['Version', cluster.data.version?.full]]} />
          {volumes.data.records?.map(({ uuid, name = '', space: { used = 0, size } = {} }) => (
            <Meter
              key={uuid}
              label={name}
              value={used}
              max={size}
              text={size === undefined ? 'unavailable in this process' : `${formatBytes(used)} of ${formatBytes(size)}`}
            />
          ))}
        </>
      )}
    </ServiceCard>
  )
}
