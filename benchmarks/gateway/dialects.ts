import { columnsOf, ratioOf, type Spread, spreadOf } from '../spread.ts'
import type { Contestant } from './contestants.ts'
import { type Dialect, type Load, runLoad } from './load.ts'
import { cpuOfEach } from './running-server.ts'

/** The CPU time of requests in one dialect over an upstream of another or the same. */
export interface DialectFigures {
  readonly load: string
  readonly front: Dialect
  readonly upstream: Dialect
  /** Microseconds of CPU time a request. */
  readonly cpu: Spread
  /** CPU time against that of chat completions over chat completions in the same round. */
  readonly ofChat: Spread
}

const all: readonly Dialect[] = ['chat', 'responses', 'messages']

const loads = [
  { name: 'whole', stream: false, share: 1 },
  { name: 'stream of 20 without pauses', stream: true, share: 0.4 },
]

/** The id of the provider that speaks a dialect. */
const providers: Readonly<Record<Dialect, string>> = { chat: 'openai', responses: 'responses', messages: 'messages' }

const WARM_UP_REQUESTS = 4_000

/** Measures all pairs of dialects in one process, in turns: relayed where they are the same, translated elsewhere. */
export async function measureDialects(
  { process, target }: Contestant,
  requests: number,
  rounds: number,
): Promise<readonly DialectFigures[]> {
  const figures: DialectFigures[] = []
  for (const { name, stream, share } of loads) {
    const pairs = all.flatMap((front) =>
      all.map((upstream) => ({
        front,
        upstream,
        load: { name, model: 'mock-1', stream, connections: 32, dialect: front } satisfies Load,
        cpu: [] as number[],
      })),
    )
    const run = ({ load, upstream }: (typeof pairs)[number], count: number) =>
      runLoad(load, { ...target(load), model: `${providers[upstream]}/mock-1` }, count)
    for (const pair of pairs) await run(pair, WARM_UP_REQUESTS)
    const count = Math.ceil(requests * share)
    for (let round = 0; round < rounds; round += 1) {
      for (const pair of pairs) {
        pair.cpu.push(await cpuOfEach(process, count, () => run(pair, count)))
      }
    }
    const chat = pairs.find(({ front, upstream }) => front === 'chat' && upstream === 'chat')?.cpu ?? []
    for (const { front, upstream, cpu } of pairs) {
      figures.push({ load: name, front, upstream, cpu: spreadOf(cpu), ofChat: ratioOf(cpu, chat) })
    }
  }
  return figures
}

export function printDialects(figures: readonly DialectFigures[]): void {
  for (const load of new Set(figures.map((figure) => figure.load))) {
    console.log(`\n${load}, by dialect: CPU time a request`)
    console.table(
      Object.fromEntries(
        figures
          .filter((figure) => figure.load === load)
          .map(({ front, upstream, cpu, ofChat }) => [
            front === upstream ? `${front}, relayed` : `${front} over ${upstream}`,
            { ...columnsOf(cpu, 'CPU us', 0), 'of chat': ofChat.median.toFixed(2) },
          ]),
      ),
    )
  }
}
