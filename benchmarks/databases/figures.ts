import { percentile, type Spread, spreadOf } from '../spread.ts'

/** Something that a store is asked to do, again and again. */
export interface Operation {
  readonly name: string
  /** How often it is done in a round. */
  readonly count: number
  /** @param index is another one each time, from 0 on */
  run(index: number): unknown
  /** The same work by the database's driver alone: statements that are prepared, rows as they come. */
  floor?(index: number): Promise<unknown>
}

export interface Figures {
  /** As one caller sees it. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of this process for one, over the rounds; what a database server spends comes on top. */
  readonly cpuMicroseconds: Spread
}

export interface Measured extends Figures {
  readonly store: string
  readonly operation: string
  /** How often in all rounds. */
  readonly runs: number
  readonly floor?: Figures
}

/** Does each operation in several rounds, one by one, in turns with its floor, after a round of warm-up. */
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
