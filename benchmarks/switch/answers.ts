import { join } from 'node:path'
import { Client } from 'undici'
import { startMeasured } from '../measured-process.ts'
import { percentile } from '../spread.ts'
import type { Contestant } from './contestants.ts'
import { runTraffic, WINDOW } from './processes.ts'
import type { Programs } from './programs.ts'

/** How long the API of a lab takes to answer while its switch is loaded. */
export interface AnswersRow {
  /** The thread in which frames are relayed. */
  readonly thread: 'main' | 'worker'
  /** Frames a second that were sent to the switch, and that have come back. */
  readonly offered: number
  readonly carried: number
  readonly answers: number
  /** Milliseconds from the request to the end of its answer, of the answers of all rounds. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
}

interface Turn extends Pick<AnswersRow, 'thread' | 'offered' | 'carried'> {
  readonly times: readonly number[]
}

export interface AnswersLoad {
  readonly programs: Programs
  readonly ends: Contestant['ends']
  readonly rounds: number
  readonly seconds: number
}

/** The rates that are offered; 0 for a switch without a load. */
const RATES = [0, 500_000]
const BYTES = 64
const PERIOD_MS = 20
const WARM_UP_SECONDS = 1.5

/** Measures the answers of the API with the relay on the main thread and in a worker, by turns. */
export async function measureAnswers(load: AnswersLoad): Promise<readonly AnswersRow[]> {
  const turns: Turn[] = []
  for (let round = 0; round < load.rounds; round += 1) {
    for (const thread of ['main', 'worker'] as const) turns.push(...(await turnsOf(thread, load)))
  }
  return RATES.flatMap((rate) => (['main', 'worker'] as const).map((thread) => rowOf(turns, thread, rate)))
}

async function turnsOf(thread: AnswersRow['thread'], { programs, ends, seconds }: AnswersLoad): Promise<Turn[]> {
  const [, from, to] = ends
  const lab = await startMeasured({ module: join(import.meta.dirname, 'lab-process.ts'), args: [from, to, thread] })
  const { origin, pathname } = new URL(lab.url)
  const client = new Client(origin)
  const traffic = { ends, bytes: BYTES, window: WINDOW }
  try {
    await runTraffic([programs.path('traffic')], { ...traffic, seconds: WARM_UP_SECONDS, rate: 0 })
    await askUntil(client, pathname, new Promise((resolve) => setTimeout(resolve, WARM_UP_SECONDS * 1000)))
    const turns: Turn[] = []
    for (const rate of RATES) {
      const load =
        rate === 0
          ? new Promise<undefined>((resolve) => setTimeout(resolve, seconds * 1000))
          : runTraffic([programs.path('traffic')], { ...traffic, seconds, rate, open: true })
      const times = await askUntil(client, pathname, load)
      const { sent = 0, received = 0, seconds: measured = 1 } = (await load) ?? {}
      turns.push({ thread, offered: rate === 0 ? 0 : sent / measured, carried: received / measured, times })
    }
    return turns
  } finally {
    await client.destroy()
    await lab.stop()
  }
}

/** Sends a request every 20 ms, or after the last answer where that takes longer. */
async function askUntil(client: Client, path: string, end: Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  let ended = false
  void end.finally(() => {
    ended = true
  })
  while (!ended) {
    const sent = performance.now()
    const { statusCode, body } = await client.request({ method: 'GET', path })
    await body.dump()
    if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode}`)
    const took = performance.now() - sent
    times.push(took)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, PERIOD_MS - took)))
  }
  return times
}

function rowOf(turns: readonly Turn[], thread: AnswersRow['thread'], rate: number): AnswersRow {
  const own = turns.filter((turn) => turn.thread === thread && turn.offered > 0 === rate > 0)
  const mean = (field: 'offered' | 'carried') => own.reduce((sum, turn) => sum + turn[field], 0) / own.length
  const times = own.flatMap((turn) => turn.times)
  return {
    thread,
    offered: mean('offered'),
    carried: mean('carried'),
    answers: times.length,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    longestMs: Math.max(...times),
  }
}

export function printAnswers(rows: readonly AnswersRow[]): void {
  console.log('\nAnswers of the API while the switch is loaded with frames of 64 B:')
  console.table(
    rows.map(({ thread, offered, carried, answers, p50Ms, p99Ms, longestMs }) => ({
      thread,
      'offered a second': offered.toFixed(0),
      'carried a second': carried.toFixed(0),
      answers,
      'p50 ms': p50Ms.toFixed(2),
      'p99 ms': p99Ms.toFixed(2),
      'longest ms': longestMs.toFixed(2),
    })),
  )
}
