import { StatusMark } from '../../components/status-mark.tsx'
import { useGatewayHealth } from '../../hooks/use-gateway-health.ts'
import { Facts } from './facts.tsx'
import { type Health, loadingHealth, ServiceCard, unreachableHealth } from './service-card.tsx'

const tones = { healthy: 'good', degraded: 'warn', unhealthy: 'bad' } as const

export function GatewayCard({ description }: { readonly description: string }) {
  const { data, isPending } = useGatewayHealth()
  const health: Health = data
    ? { tone: tones[data.status], word: data.status }
    : isPending
      ? loadingHealth
      : unreachableHealth
  return (
    <ServiceCard name="Gateway" path="/gateway" description={description} health={health}>
      {data && (
        <Facts
          facts={[
            ['Version', data.version],
            ['Store', <Mark key="store" status={data.components.store} />],
            ['Limiter', <Mark key="limiter" status={data.components.limiter} />],
            ...Object.entries(data.components.providers).map(
              ([name, status]) => [name, <Mark key={name} status={status} />] as const,
            ),
            ...Object.entries(data.components.search).map(
              ([name, status]) => [`Search: ${name}`, <Mark key={name} status={status} />] as const,
            ),
            ...Object.entries(data.components.checks).map(
              ([name, status]) => [`Writable: ${name}`, <Mark key={name} status={status} />] as const,
            ),
          ]}
        />
      )}
    </ServiceCard>
  )
}

const Mark = ({ status }: { readonly status: keyof typeof tones }) => (
  <StatusMark tone={tones[status]}>{status}</StatusMark>
)
