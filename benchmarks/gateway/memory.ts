import type { Contestant } from './contestants.ts'
import { type Load, runLoad } from './load.ts'

export interface MemoryFigures {
  readonly contestant: string
  /** Megabytes of the heap after a full collection, before the streams and after each part of them. */
  readonly heapMegabytes: readonly number[]
  readonly streams: number
}

const PARTS = 5

const load: Load = { name: 'stream of 20 without pauses', model: 'mock-1', stream: true, connections: 32 }

/** Measures whether a server keeps memory of the streams that it has relayed. */
export async function measureMemory(contestant: Contestant, streams: number): Promise<MemoryFigures> {
  const heapMegabytes = [await collectedHeap(contestant)]
  for (let part = 0; part < PARTS; part += 1) {
    await runLoad(load, contestant.target(load), Math.ceil(streams / PARTS))
    heapMegabytes.push(await collectedHeap(contestant))
  }
  return { contestant: contestant.name, heapMegabytes, streams }
}

const collectedHeap = async ({ process }: Contestant) =>
  ((await process.account('collected')).heapBytes ?? Number.NaN) / 2 ** 20

export function printMemory(figures: readonly MemoryFigures[]): void {
  console.log('\nmemory: MB of the heap after a collection, by the streams that were relayed')
  console.table(
    Object.fromEntries(
      figures.map(({ contestant, heapMegabytes, streams }) => [
        contestant,
        Object.fromEntries(
          heapMegabytes.map((heap, part) => [String(Math.round((streams / PARTS) * part)), heap.toFixed(1)]),
        ),
      ]),
    ),
  )
}
