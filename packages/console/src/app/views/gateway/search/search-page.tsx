import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { EmptyState } from '../../../components/empty-state.tsx'
import { SelectField, TextField } from '../../../components/field.tsx'
import { Form } from '../../../components/form.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { type GatewayClient, useGateway } from '../../../hooks/use-gateway.ts'
import { useGatewayHealth } from '../../../hooks/use-gateway-health.ts'
import { Section } from '../../../shell/view.tsx'
import { Results } from './results.tsx'
import { runSearch, type Search, searchTypes } from './run-search.ts'

export function SearchPage() {
  const gateway = useGateway()
  const engines = Object.keys(useGatewayHealth().data?.components.search ?? {})
  const [form, setForm] = useState<Search>({ q: '', type: 'text', engine: '' })
  const [submitted, setSubmitted] = useState<Search>()
  return (
    <Section title="Search the web">
      <Form className="gateway-fields" submitLabel="Search" onSubmit={() => setSubmitted({ ...form })}>
        <div className="whole">
          <TextField label="Query" type="search" value={form.q} onChange={(q) => setForm({ ...form, q })} required />
        </div>
        <SelectField
          label="Type"
          value={form.type}
          onChange={(type) => setForm({ ...form, type })}
          options={searchTypes}
        />
        <SelectField
          label="Engine"
          value={form.engine}
          onChange={(engine) => setForm({ ...form, engine })}
          options={[
            { value: '', label: 'The first that answers' },
            ...engines.map((name) => ({ value: name, label: name })),
          ]}
        />
      </Form>
      {submitted ? (
        <Answer key={JSON.stringify(submitted)} submitted={submitted} gateway={gateway} />
      ) : (
        <EmptyState title="No search yet">The results are shown here.</EmptyState>
      )}
    </Section>
  )
}

function Answer({ submitted, gateway }: { readonly submitted: Search; readonly gateway: GatewayClient }) {
  const answer = useQuery({
    queryKey: ['gateway', 'search', submitted],
    queryFn: ({ signal }) => runSearch(gateway, submitted, signal),
    retry: false,
  })
  return <Loaded query={answer}>{(data) => <Results answer={data} />}</Loaded>
}
