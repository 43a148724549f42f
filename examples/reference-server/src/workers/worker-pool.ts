import cluster from 'node:cluster'
import { join } from 'node:path'
import type { ReadyWorker } from './calls.ts'
import type { SummedMetrics } from './summed-metrics.ts'
import { type PrimaryAnswers, startWorkerProcess, type WorkerProcess } from './worker-process.ts'

/** What a pool needs of the server. */
export interface WorkerPoolOptions {
  readonly count: number
  readonly metrics: SummedMetrics
  readonly answersOf: (worker: WorkerProcess) => PrimaryAnswers
}

/** The place of one worker. */
interface Slot {
  readonly number: number
  current: WorkerProcess | undefined
  isRestarting: boolean
  failures: number
  /** When the current worker was ready. */
  readyAt: number
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 30_000

/** How long a worker must have run so that its end is not counted as a further failure. */
const SETTLED_MS = 60_000

/** How long the answers of a worker that was replaced may continue. */
const RESTART_GRACE_SECONDS = 600

/** Keeps a number of workers running. One that dies is replaced, with a growing pause where it dies again. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #slots: readonly Slot[]
  /** All processes that have not ended. */
  readonly #processes = new Set<WorkerProcess>()
  readonly #pauses = new Set<NodeJS.Timeout>()
  #isClosing = false
  #isRestarting = false

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#slots = Array.from({ length: options.count }, (_, index) => ({
      number: index + 1,
      current: undefined,
      isRestarting: false,
      failures: 0,
      readyAt: 0,
    }))
    cluster.setupPrimary({
      exec: join(import.meta.dirname, '../../start.js'),
      args: process.argv.slice(2),
      serialization: 'advanced',
    })
    // Connections are passed on in turn, and one is not lost with a worker that stops accepting.
    cluster.schedulingPolicy = cluster.SCHED_RR
  }

  /** The workers that accept requests. */
  get running(): readonly WorkerProcess[] {
    return this.#slots.flatMap(({ current }) => current ?? [])
  }

  /** The number of workers that have ended and are not replaced yet. One that was never ready is not missing. */
  get missing(): number {
    return this.#slots.filter(({ current, readyAt }) => current === undefined && readyAt > 0).length
  }

  /** The workers that still answer requests. */
  get all(): readonly WorkerProcess[] {
    return [...this.#processes]
  }

  /** @throws SettingsError (rejects) where the workers report a mistake */
  async start(): Promise<ReadyWorker> {
    const [first] = await Promise.all(this.#slots.map((slot) => this.#fill(slot)))
    if (!first) throw new RangeError('A pool needs at least one worker.')
    return first
  }

  /** Replaces each worker by a new one, one after the other. The ones before finish their answers. */
  async restart(): Promise<void> {
    if (this.#isRestarting || this.#isClosing) return
    this.#isRestarting = true
    console.log('Replacing the workers.')
    for (const slot of this.#slots) if (!(await this.#replace(slot))) break
    this.#isRestarting = false
  }

  /** Ends all workers. Idempotent. */
  async close(graceSeconds: number): Promise<void> {
    this.#isClosing = true
    for (const pause of this.#pauses) clearTimeout(pause)
    const ready = this.running
    await Promise.all(
      this.all.map(async (worker) => {
        if (!ready.includes(worker) && !this.#retiring.has(worker)) worker.kill()
        await worker.close({ graceSeconds, isReplaced: false })
      }),
    )
  }

  readonly #retiring = new Set<WorkerProcess>()

  /** Starts a worker for a place, which takes it when it is ready. */
  async #fill(slot: Slot): Promise<ReadyWorker> {
    const { answersOf, metrics } = this.#options
    const worker = startWorkerProcess(answersOf)
    this.#processes.add(worker)
    metrics.add(worker)
    void worker.ended.then((how) => this.#onEnded(slot, worker, how))
    const ready = await worker.ready
    slot.current = worker
    slot.readyAt = performance.now()
    return ready
  }

  #onEnded(slot: Slot, worker: WorkerProcess, how: string): void {
    this.#processes.delete(worker)
    this.#retiring.delete(worker)
    this.#options.metrics.retain(worker)
    if (slot.current !== worker) return
    slot.current = undefined
    if (this.#isClosing) return
    console.error(`Worker ${slot.number} (process ${worker.pid}) ended ${how}. It is replaced.`)
    if (performance.now() - slot.readyAt > SETTLED_MS) slot.failures = 0
    if (!slot.isRestarting) this.#fillLater(slot)
  }

  #fillLater(slot: Slot): void {
    const wait = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** slot.failures)
    slot.failures += 1
    const pause = setTimeout(async () => {
      this.#pauses.delete(pause)
      try {
        await this.#fill(slot)
      } catch (error) {
        if (this.#isClosing) return
        console.error(`Worker ${slot.number} could not be replaced. It is tried again. ${reasonOf(error)}`)
        this.#fillLater(slot)
      }
    }, wait)
    this.#pauses.add(pause)
  }

  /** @returns whether the place has a new worker */
  async #replace(slot: Slot): Promise<boolean> {
    const before = slot.current
    // One that has died is being replaced in any case.
    if (!before) return true
    slot.isRestarting = true
    try {
      await this.#fill(slot)
    } catch (error) {
      if (this.#isClosing) return false
      console.error(`The workers are not replaced. The ones before stay. ${reasonOf(error)}`)
      if (!slot.current) this.#fillLater(slot)
      return false
    } finally {
      slot.isRestarting = false
    }
    this.#retiring.add(before)
    void before.close({ graceSeconds: RESTART_GRACE_SECONDS, isReplaced: true })
    console.log(`Worker ${slot.number} is process ${slot.current?.pid} now.`)
    return true
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
