import { percentile, type Spread, spreadOf } from '../spread.ts'

/** An operation of a store that is measured repeatedly. */
export interface Operation {
  readonly name: string
  /** The number of runs in a round. */
  readonly count: number
  /** @param index counts up with each run, from 0 */
  run(index: number): unknown
  /** Does the same work with the database's driver alone: prepared statements, rows not checked. */
  floor?(index: number): Promise<unknown>
}

export interface Figures {
  /** The time that one caller measures. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** CPU time of this process for one run, over the rounds, without that of a database server. */
  readonly cpuMicroseconds: Spread
}

export interface Measured extends Figures {
  readonly store: string
  readonly operation: string
  /** The number of runs in all rounds. */
  readonly runs: number
  readonly floor?: Figures
}

/** Measures each operation in several rounds, in turns with its floor, after a round of warm-up. */
export async function measure(
  store: string,
  operations: readonly Operation[],
  rounds: number,
): Promise<readonly Measured[]> {
  const measured: Measured[] = []
  for (const { name, count, run, floor } of operations) {
    const [own, bare] = [recording(count, run), floor && recording(count, floor)]
    for (let round = 0; round <= rounds; round += 1) {
      await own.round(round > 0)
      await bare?.round(round > 0)
    }
    measured.push({
      store,
      operation: name,
      runs: rounds * count,
      ...own.figures(),
      ...(bare && { floor: bare.figures() }),
    })
  }
  return measured
}

function recording(count: number, run: (index: number) => unknown) {
  const times: number[] = []
  const cpu: number[] = []
  let next = 0
  return {
    async round(counts: boolean): Promise<void> {
      const before = process.cpuUsage()
      for (let done = 0; done < count; done += 1) {
        const start = performance.now()
        await run(next++)
        if (counts) times.push(performance.now() - start)
      }
      const { user, system } = process.cpuUsage(before)
      if (counts) cpu.push((user + system) / count)
    },
    figures: (): Figures => ({
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      cpuMicroseconds: spreadOf(cpu),
    }),
  }
}

export function print(measured: readonly Measured[]): void {
  for (const store of new Set(measured.map((one) => one.store))) {
    console.log(`\n${store}`)
    console.table(
      Object.fromEntries(
        measured
          .filter((one) => one.store === store)
          .map(({ operation, runs, p50Ms, p99Ms, cpuMicroseconds, floor }) => [
            operation,
            {
              runs,
              'p50 ms': p50Ms.toFixed(3),
              'p99 ms': p99Ms.toFixed(3),
              'CPU us': cpuMicroseconds.median.toFixed(0),
              from: cpuMicroseconds.least.toFixed(0),
              to: cpuMicroseconds.most.toFixed(0),
              ...(floor && {
                'floor CPU us': floor.cpuMicroseconds.median.toFixed(0),
                'floor p50 ms': floor.p50Ms.toFixed(3),
                times: (cpuMicroseconds.median / floor.cpuMicroseconds.median).toFixed(2),
              }),
            },
          ]),
      ),
    )
  }
}
