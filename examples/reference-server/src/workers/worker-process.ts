import cluster, { type Worker } from 'node:cluster'
import type { MetricsSnapshot } from '../metrics/prometheus.ts'
import { SettingsError } from '../settings.ts'
import type { PrimaryCalls, ReadyWorker, WorkerCalls, WorkerEnd } from './calls.ts'
import { type Answering, type Ask, openChannel } from './channel.ts'
import { closeUnconfirmed } from './passed-connections.ts'
import type { WorkerMetrics } from './summed-metrics.ts'

/** A worker, from the start of its process to its end. */
export interface WorkerProcess extends WorkerMetrics {
  readonly pid: number | undefined
  readonly ask: Ask<WorkerCalls>
  /** Rejects where the worker ends before it is ready, with a SettingsError where it reports a mistake. */
  readonly ready: Promise<ReadyWorker>
  /** Resolves with how the process has ended, for the log. */
  readonly ended: Promise<string>
  /** Resolves when the process has ended. It is killed if it does not end in time. */
  close(end: WorkerEnd): Promise<void>
  kill(): void
}

/** How long a worker may need to end after the grace of its answers. */
const CLOSING_SECONDS = 20

/** How long the metrics of a busy worker are waited for. */
const METRICS_MS = 2000

/** The answers of the primary to one of its workers. */
export type PrimaryAnswers = Omit<Answering<PrimaryCalls>, 'ready' | 'refuse'>

/** @param answersOf makes the answers for the new worker */
export function startWorkerProcess(answersOf: (worker: WorkerProcess) => PrimaryAnswers): WorkerProcess {
  const worker = cluster.fork()
  closeUnconfirmed(worker.process)
  const ended = new Promise<string>((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ? `by ${signal}` : `with code ${code}`))
  })
  let lastMetrics: MetricsSnapshot = []
  const ready = Promise.withResolvers<ReadyWorker>()
  const kill = () => worker.process.kill('SIGKILL')

  const started: WorkerProcess = {
    pid: worker.process.pid,
    get ask() {
      return ask
    },
    ready: ready.promise,
    ended,
    get lastMetrics() {
      return lastMetrics
    },
    async readMetrics() {
      await Promise.race([ask('readMetrics').then(keep, ignore), after(METRICS_MS)])
    },
    async close(end) {
      const timer = setTimeout(kill, (end.graceSeconds + CLOSING_SECONDS) * 1000)
      await ask('close', end).then(keep, ignore)
      await ended
      clearTimeout(timer)
    },
    kill,
  }
  const keep = (metrics: MetricsSnapshot) => {
    lastMetrics = metrics
  }
  const ask: Ask<WorkerCalls> = openChannel<WorkerCalls, PrimaryCalls>(peerOf(worker), {
    ...answersOf(started),
    ready: ready.resolve,
    refuse: (mistake) => ready.reject(new SettingsError(mistake)),
  })
  void ended.then((how) => ready.reject(new Error(`The process ended ${how} before it was ready.`)))
  return started
}

const ignore = () => undefined

const after = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds).unref()
  })

const peerOf = (worker: Worker) => ({
  send(message: object): boolean {
    if (!worker.isConnected()) return false
    // What cannot be sent any longer is rejected by the end of the channel.
    worker.send(message, ignore)
    return true
  },
  onMessage: (listener: (message: unknown) => void) => void worker.on('message', listener),
  onClose: (listener: () => void) => void worker.once('disconnect', listener),
})
