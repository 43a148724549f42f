import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MessageChannel, type Worker } from 'node:worker_threads'
import type { DatagramBatches } from '../datagrams/datagram-batches.ts'
import type { FromDataPlane, Post, ToDataPlane } from './messages.ts'
import { type DataPlaneParts, serveDataPlane } from './serve-data-plane.ts'
import type { WorkerParts } from './worker-parts.ts'

/** Where a data plane runs. */
export interface PlaneThread {
  readonly post: Post<ToDataPlane>
  /** Sets whether the process stays alive for it. */
  setHeld(held: boolean): void
  /** Ends it. `ended` is not called. */
  end(): Promise<void>
}

export interface PlaneThreadListener {
  received(messages: readonly FromDataPlane<never>[]): void
  /** Called once where it ends by itself, when its sockets are closed. */
  ended(reason: Error): void
}

/** @throws where it cannot be opened */
export type OpenPlaneThread = (listener: PlaneThreadListener) => PlaneThread

/** Runs data planes in workers. */
export const inWorker =
  ({ batches, ...parts }: DataPlaneParts): OpenPlaneThread =>
  ({ received, ended }) => {
    const worker = openWorker({ ...parts, batchesFile: fileOf(batches) })
    let running = true
    let reason: Error | undefined
    const failed = (error: unknown) => {
      reason ??= error instanceof Error ? error : new Error(String(error))
    }
    worker.unref()
    worker.on('message', (messages: readonly FromDataPlane<never>[]) => {
      if (running) received(messages)
    })
    worker.on('messageerror', (error) => {
      failed(error)
      void worker.terminate()
    })
    worker.on('error', failed)
    worker.on('exit', (code) => {
      if (running) ended(reason ?? new Error(`The worker has ended with code ${code}.`))
      running = false
    })
    return {
      post: (messages, transferred) => worker.postMessage(messages, transferred),
      setHeld: (held) => (held ? worker.ref() : worker.unref()),
      async end() {
        running = false
        await worker.terminate()
      },
    }
  }

/** Runs data planes in this thread. */
export const inThisThread =
  (parts: DataPlaneParts): OpenPlaneThread =>
  ({ received }) => {
    const { port1: port, port2: served } = new MessageChannel()
    const receive = serveDataPlane(parts, (messages, transferred) => served.postMessage(messages, transferred))
    port.on('message', received)
    served.on('message', receive)
    for (const end of [port, served]) end.unref()
    return {
      post: (messages, transferred) => port.postMessage(messages, transferred),
      setHeld: (held) => (held ? port.ref() : port.unref()),
      end: async () => port.close(),
    }
  }

/** A worker cannot use the binary that another thread has loaded. */
function fileOf(batches: DatagramBatches | undefined): string | undefined {
  if (batches !== undefined && batches.file === undefined) throw new Error('The batches name no file for a worker.')
  return batches?.file
}

/** Sources find each other by a condition, which the process need not have. A bundle needs the installed package. */
function openWorker(workerData: WorkerParts): Worker {
  // What the process loads at its start is not for this thread.
  const execArgv = process.execArgv.filter((flag) => flag.startsWith('--conditions='))
  const options = { name: 'frames', workerData, execArgv, env: {} }
  const url = ownPlace()
  // Not imports: bundlers would try to find the file of the worker themselves.
  const threads = process.getBuiltinModule('node:worker_threads')
  if (url.endsWith('.ts')) {
    const source = join(dirname(fileURLToPath(url)), 'worker.ts')
    return new threads.Worker(source, { ...options, execArgv: ['--conditions=@trivium/source'] })
  }
  const { resolve } = process.getBuiltinModule('node:module').createRequire(url)
  return new threads.Worker(resolve('@trivium/embedded-emulators/data-plane-worker'), options)
}

/** A CommonJS bundle has no URL, but the path of its file. */
function ownPlace(): string {
  const { url }: { readonly url?: string } = import.meta
  if (url !== undefined) return url
  if (typeof __filename === 'string') return __filename
  throw new Error('This bundle does not name its file, next to which the worker is installed.')
}
