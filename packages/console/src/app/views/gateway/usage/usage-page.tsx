import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { Chart } from '../../../components/chart.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { SelectField } from '../../../components/field.tsx'
import { formatDollars, formatNumber } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { useGateway } from '../../../hooks/use-gateway.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { Section } from '../../../shell/view.tsx'
import { readUsage, type UsageFigures } from './read-usage.ts'
import { amountOf, amountsBy, type Measure, type Part, rowName, type UsageRow, withOthers } from './sum-usage.ts'

const spans = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const

const measures: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: 'requests', label: 'Requests' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'cost', label: 'Cost' },
]

const parts: readonly { readonly value: Part; readonly label: string }[] = [
  { value: 'model', label: 'Model' },
  { value: 'key', label: 'Key' },
]

export function UsagePage() {
  const gateway = useGateway()
  const [span, setSpan] = useState<(typeof spans)[number]['value']>('7')
  const [measure, setMeasure] = useState<Measure>('requests')
  const [part, setPart] = useState<Part>('model')
  const usage = useQuery({
    queryKey: topicKey('gateway', 'usage', span, measure, part),
    queryFn: ({ signal }) => readUsage(gateway, { span: Number(span), measure, part }, signal),
  })
  return (
    <Section title="Usage">
      <div className="gateway-fields">
        <SelectField label="Period" value={span} onChange={setSpan} options={spans} />
        <SelectField label="Measure" value={measure} onChange={setMeasure} options={measures} />
        <SelectField label="Group by" value={part} onChange={setPart} options={parts} />
      </div>
      <Loaded query={usage}>
        {(figures) =>
          figures.rows.length === 0 ? (
            <EmptyState title="No requests">
              Send a message in the playground, or create a key for a program.
            </EmptyState>
          ) : (
            <Figures figures={figures} measure={measure} part={part} />
          )
        }
      </Loaded>
    </Section>
  )
}

interface FiguresProps {
  readonly figures: UsageFigures
  readonly measure: Measure
  readonly part: Part
}

const words: Readonly<Record<Measure, string>> = { requests: 'Requests', tokens: 'Tokens', cost: 'Cost' }

function Figures({ figures, measure, part }: FiguresProps) {
  const word = words[measure]
  const format = measure === 'cost' ? formatDollars : formatNumber
  const nameOf = useCallback((row: UsageRow) => rowName(row, part), [part])
  const { times, series } = useMemo(() => {
    const { days, all, largest } = figures
    const named = largest.map(({ row, byDay }) => ({ label: nameOf(row), values: amountsBy(days, byDay, measure) }))
    return { times: days.map((day) => Date.parse(day)), series: withOthers(named, amountsBy(days, all, measure)) }
  }, [figures, measure, nameOf])
  const total = figures.all.reduce((sum, row) => sum + amountOf(row, measure), 0)
  return (
    <>
      <Chart title={`${word} per day by ${part}`} times={times} series={series} />
      <Table
        caption={`${word} by ${part}: ${format(total)} in total`}
        isSlim
        rows={figures.rows}
        rowKey={({ other, model, key_id: key, user_id: user }) => (other ? 'other' : [model, key, user].join('/'))}
        columns={[
          { header: part === 'model' ? 'Model' : 'Key', isName: true, cell: nameOf },
          { header: 'Requests', align: 'end', cell: ({ requests }) => formatNumber(requests) },
          { header: 'Tokens', align: 'end', cell: (row) => formatNumber(amountOf(row, 'tokens')) },
          { header: 'Cost', align: 'end', cell: (row) => formatDollars(amountOf(row, 'cost')) },
        ]}
      />
    </>
  )
}
