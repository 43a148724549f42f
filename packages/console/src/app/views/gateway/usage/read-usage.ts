import { expectJson } from '@trivium/http-client'
import type { GatewayClient } from '../../../hooks/use-gateway.ts'
import { daysUntil, filterOf, type Measure, type Part, type UsageRow } from './sum-usage.ts'

/** A table has so many rows, and one with the sums of the rest. */
const SHOWN_ROWS = 50
/** A chart has colours for 3 series and one for the rest. */
const SHOWN_SERIES = 3

/** What the usage page shows. Nothing is cut off: what is not listed is summed. */
export interface UsageFigures {
  readonly days: readonly string[]
  /** The largest parts, and the sums of the others last. */
  readonly rows: readonly UsageRow[]
  /** All usage by day. */
  readonly all: readonly UsageRow[]
  /** The usage by day of the largest parts. */
  readonly largest: readonly { readonly row: UsageRow; readonly byDay: readonly UsageRow[] }[]
}

export async function readUsage(
  gateway: GatewayClient,
  { span, measure, part }: { readonly span: number; readonly measure: Measure; readonly part: Part },
  signal: AbortSignal,
): Promise<UsageFigures> {
  const days = daysUntil(new Date(), span)
  const from = days[0] ?? ''
  const read = async (query: object): Promise<readonly UsageRow[]> =>
    (await expectJson(gateway.getUsage({ query: { from, ...query }, signal }))).data
  const rows = await read({ group_by: part, top: SHOWN_ROWS, order: measure })
  const named = rows.flatMap((row) => {
    const filter = filterOf(row, part)
    return filter ? [{ row, filter }] : []
  })
  const [all, ...byDay] = await Promise.all([
    read({ group_by: 'day' }),
    ...named.slice(0, SHOWN_SERIES).map(({ filter }) => read({ group_by: 'day', ...filter })),
  ])
  return {
    days,
    rows,
    all,
    largest: named.slice(0, byDay.length).map(({ row }, index) => ({ row, byDay: byDay[index] ?? [] })),
  }
}
