import { Worker } from 'node:worker_threads'
import { CHECKPOINT_SCRIPT } from './checkpoint-script.ts'

/** Bytes that this process adds to the log for a checkpoint. Other processes may add as many before theirs. */
const BYTES_PER_CHECKPOINT = 4_000_000
/** A changed row makes two thirds of a page on average, without its long values, and the only one of a commit a page. */
const BYTES_PER_ROW = 3_000
const BYTES_PER_STATEMENT = 1_200
/** Shorter values are part of the average. */
const LONG_VALUE = 1_000
/**
 * Pages of the log from which on it begins again at its start, for which writers wait while the disk is flushed: a tenth of
 * the free space, from 4 to 40 MB.
 */
const restartPages = { least: 1_000, most: 10_000 }
/** Pages of the log from which on writers wait for readers, too: 100 MB. */
const LONG_PAGES = 25_000
/** How long writers wait for the end of a transaction that holds up a checkpoint. */
const patienceMs = { usual: 10, long: 100 }
/** What the thread does, and the place of its state. */
const requests = { checkpoint: 0, empty: 1 }
/** The thread needs little more than the runtime itself. */
const resourceLimits = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

export interface WalCheckpointsOptions {
  /** The path of the database. */
  readonly file: string
  /** Called once, when checkpoints by the thread have ended before `close`. */
  readonly onFailed: () => void
}

/**
 * Copies the log of a SQLite file into the database from another thread, which has a connection of its own, since the disk
 * would stop the event loop. The thread begins with the first checkpoint, and does not keep the process running.
 */
export class WalCheckpoints {
  readonly #options: WalCheckpointsOptions
  #bytes = 0
  /** Whether each request waits or runs. The thread sets it to 0. */
  readonly #running = new Int32Array(new SharedArrayBuffer(8))
  #hasFailed = false
  #worker: Worker | undefined

  constructor(options: WalCheckpointsOptions) {
    this.#options = options
  }

  /** Estimates what a statement has added to the log, and begins a checkpoint where that is enough. */
  wrote(rows: number, parameters: readonly unknown[]): void {
    this.#bytes += BYTES_PER_STATEMENT + rows * BYTES_PER_ROW
    for (const value of parameters) {
      const length = typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.byteLength : 0
      if (length > LONG_VALUE) this.#bytes += length
    }
    if (this.#bytes >= BYTES_PER_CHECKPOINT) this.#request('checkpoint')
  }

  /** Empties the log where the disk is full, as far as the database has room for it. */
  diskIsFull(): void {
    this.#request('empty')
  }

  #request(name: keyof typeof requests): void {
    // Not by messages, which a program that never returns to the event loop would not receive.
    if (this.#hasFailed || Atomics.load(this.#running, requests[name]) === 1) return
    this.#bytes = 0
    Atomics.store(this.#running, requests[name], 1)
    try {
      this.#worker ??= this.#start()
      this.#worker.postMessage(name)
    } catch {
      this.#fail()
    }
  }

  /** Ends the thread, and resolves when it has closed its connection. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#hasFailed = true
    this.#worker = undefined
    if (!worker) return
    worker.removeAllListeners('exit')
    worker.ref()
    await new Promise((resolve) => {
      worker.once('exit', resolve)
      worker.postMessage('close')
    })
  }

  #start(): Worker {
    const { file } = this.#options
    const worker = new Worker(CHECKPOINT_SCRIPT, {
      eval: true,
      name: 'checkpoints',
      workerData: { file, requests, running: this.#running, restartPages, longPages: LONG_PAGES, patienceMs },
      // What the process loads at its start is not for this thread.
      execArgv: [],
      env: {},
      resourceLimits,
    })
    worker.on('error', () => this.#fail())
    worker.on('exit', () => this.#fail())
    worker.unref()
    return worker
  }

  #fail(): void {
    this.#worker = undefined
    if (this.#hasFailed) return
    this.#hasFailed = true
    this.#options.onFailed()
  }
}
