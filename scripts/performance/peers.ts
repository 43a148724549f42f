import { PORTKEY, started } from '../../benchmarks/gateway/rows.ts'
import { markdownTable, type Row } from './markdown-table.ts'
import type { Reports } from './reports.ts'

interface Published {
  readonly gateway: string
  /** Microseconds of CPU time a request. */
  readonly cpu: number
  readonly residentMegabytes: number
  readonly firstAnswerSeconds: number
  /** Milliseconds with 10 connections. */
  readonly p99: number
  /** Milliseconds that the gateway adds to a request without it. */
  readonly added?: number
}

/** GoModel's comparison of June 2026: one gateway at a time on two virtual cores, retries and logging off. */
const published: readonly Published[] = [
  { gateway: 'GoModel', cpu: 192, residentMegabytes: 37, firstAnswerSeconds: 0.56, p99: 6.9, added: 4.1 },
  { gateway: 'Bifrost', cpu: 395, residentMegabytes: 143, firstAnswerSeconds: 7.1, p99: 18.3 },
  { gateway: 'Portkey', cpu: 1220, residentMegabytes: 112, firstAnswerSeconds: 1.1, p99: 30.5 },
  { gateway: 'LiteLLM', cpu: 3850, residentMegabytes: 2300, firstAnswerSeconds: 25.5, p99: 39.3 },
]
const publishedPortkey = published.find(({ gateway }) => gateway === 'Portkey')?.cpu ?? Number.NaN

/** Writes figures that others have published next to ours. Portkey, which both contain, relates them. */
export const peerTable = (reports: Reports): string => markdownTable([...ownRows(reports), ...publishedRows()])

function ownRows({ gateway, tails, startup }: Reports): readonly Row[] {
  const names: readonly string[] = [...Object.values(started), PORTKEY]
  return gateway.results.started
    .filter(({ load, contestant }) => load === 'whole' && names.includes(contestant))
    .map(({ contestant, cpu, belowPortkey, residentMegabytes }) => {
      const tail = tails.results.find(({ load, server }) => load === 'chat, whole' && server === contestant)
      return {
        gateway: contestant,
        'measured in': 'this page, 32 connections',
        'CPU µs per request': cpu?.median.toFixed(0) ?? '',
        'times less than Portkey in the same run': `${belowPortkey?.median.toFixed(2)}×`,
        'resident MB': residentMegabytes?.toFixed(0) ?? '',
        'first answer after, s':
          contestant === started.sqlite ? (startup.results.start.wallMs.median / 1000).toFixed(2) : '',
        'p99 ms with 10 connections': '',
        'added at p99, ms': tail?.added.p99.median.toFixed(2) ?? '',
      }
    })
}

const publishedRows = (): readonly Row[] =>
  published.map(({ gateway, cpu, residentMegabytes, firstAnswerSeconds, p99, added }) => ({
    gateway,
    'measured in': "GoModel's comparison, June 2026",
    'CPU µs per request': cpu.toLocaleString('en'),
    'times less than Portkey in the same run': `${(publishedPortkey / cpu).toFixed(2)}×`,
    'resident MB': residentMegabytes.toLocaleString('en'),
    'first answer after, s': String(firstAnswerSeconds),
    'p99 ms with 10 connections': String(p99),
    'added at p99, ms': added === undefined ? '' : String(added),
  }))
