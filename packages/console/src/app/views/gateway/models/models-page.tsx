import { Loaded } from '../../../components/loaded.tsx'
import { StatusMark } from '../../../components/status-mark.tsx'
import { Table } from '../../../components/table.tsx'
import { useGatewayHealth } from '../../../hooks/use-gateway-health.ts'
import { Section } from '../../../shell/view.tsx'
import { NoModels } from '../no-models.tsx'
import { useImageModels, useModels } from '../use-models.ts'

const tones = { healthy: 'good', degraded: 'warn', unhealthy: 'bad' } as const

export function ModelsPage() {
  return (
    <>
      <Upstreams />
      <Section title="Chat models">
        <ModelTable caption="All chat models" query={useModels()} />
      </Section>
      <Section title="Image models">
        <ModelTable caption="All image models" query={useImageModels()} />
      </Section>
    </>
  )
}

function Upstreams() {
  const health = useGatewayHealth()
  return (
    <Section title="Health">
      <Loaded query={health}>
        {({ components: { store, limiter, providers, search } }) => (
          <Table
            caption="Health of each part"
            rows={[
              { name: 'Store', status: store },
              { name: 'Limiter', status: limiter },
              ...Object.entries(providers).map(([name, status]) => ({ name: `Provider ${name}`, status })),
              ...Object.entries(search).map(([name, status]) => ({ name: `Search engine ${name}`, status })),
            ]}
            rowKey={({ name }) => name}
            columns={[
              { header: 'Part', isName: true, cell: ({ name }) => name },
              { header: 'Health', cell: ({ status }) => <StatusMark tone={tones[status]}>{status}</StatusMark> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  )
}

function ModelTable({ caption, query }: { readonly caption: string; readonly query: ReturnType<typeof useModels> }) {
  return (
    <Loaded query={query}>
      {(models) => (
        <Table
          caption={caption}
          rows={models}
          rowKey={({ id }) => id}
          empty={<NoModels title="No models" />}
          columns={[
            { header: 'Model', isName: true, cell: ({ id }) => <code>{id}</code> },
            { header: 'Owner', cell: ({ owned_by: owner }) => owner },
          ]}
        />
      )}
    </Loaded>
  )
}
