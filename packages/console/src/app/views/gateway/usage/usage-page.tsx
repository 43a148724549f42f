import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useMemo, useState } from 'react'
import { Chart } from '../../../components/chart.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { SelectField } from '../../../components/field.tsx'
import { formatNumber } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { Table } from '../../../components/table.tsx'
import { useGateway } from '../../../hooks/use-gateway.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { Section } from '../../../shell/view.tsx'
import { keyName, useKeys } from '../keys/use-keys.ts'
import { daysUntil, type Measure, type Part, seriesOf, totalsOf, type UsageRow } from './sum-usage.ts'

const MAX_ROWS = 10_000

const spans = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
] as const

const measures: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: 'requests', label: 'Requests' },
  { value: 'tokens', label: 'Tokens' },
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
    queryKey: topicKey('gateway', 'usage', span),
    queryFn: async ({ signal }) => {
      const days = daysUntil(new Date(), Number(span))
      const query = { from: days[0] ?? '', group_by: 'key,model,day', limit: MAX_ROWS }
      return { days, rows: (await expectOk(gateway.getUsage({ query, signal }))).data }
    },
  })
  return (
    <Section title="Usage">
      <div className="gateway-fields">
        <SelectField label="Period" value={span} onChange={setSpan} options={spans} />
        <SelectField label="Measure" value={measure} onChange={setMeasure} options={measures} />
        <SelectField label="Group by" value={part} onChange={setPart} options={parts} />
      </div>
      <Loaded query={usage}>
        {({ days, rows }) =>
          rows.length === 0 ? (
            <EmptyState title="No requests">
              Send a message in the playground, or create a key for a program.
            </EmptyState>
          ) : (
            <Figures days={days} rows={rows} measure={measure} part={part} />
          )
        }
      </Loaded>
    </Section>
  )
}

interface FiguresProps {
  readonly days: readonly string[]
  readonly rows: readonly UsageRow[]
  readonly measure: Measure
  readonly part: Part
}

function Figures({ days, rows, measure, part }: FiguresProps) {
  const names = useKeyNames()
  const word = measure === 'requests' ? 'Requests' : 'Tokens'
  const { times, series, totals } = useMemo(() => {
    const nameOf = ({ model = '', key_id: key }: UsageRow) =>
      part === 'model' ? model : key ? (names.get(key) ?? key) : 'the admin'
    return {
      times: days.map((day) => Date.parse(day)),
      series: seriesOf(rows, days, measure, nameOf),
      totals: totalsOf(rows, measure, nameOf),
    }
  }, [days, rows, measure, part, names])
  return (
    <>
      <Chart title={`${word} per day by ${part}`} times={times} series={series} />
      <Table
        caption={`${word} by ${part}`}
        isSlim
        rows={totals}
        rowKey={([name]) => name}
        columns={[
          { header: part === 'model' ? 'Model' : 'Key', isName: true, cell: ([name]) => name },
          { header: word, align: 'end', cell: ([, total]) => formatNumber(total) },
        ]}
      />
    </>
  )
}

function useKeyNames(): ReadonlyMap<string, string> {
  const { data } = useKeys()
  return useMemo(
    () => new Map(data?.pages.flatMap((page) => page.data.map((key) => [key.key_id, keyName(key)] as const))),
    [data],
  )
}
