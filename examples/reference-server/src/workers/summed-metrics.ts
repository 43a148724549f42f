import { AggregatorRegistry } from 'prom-client'
import type { MetricsSnapshot, PrometheusMetrics } from '../metrics/prometheus.ts'

/** The metrics of a worker, as it last reported them. */
export interface WorkerMetrics {
  /** Asks for the current ones. Keeps the last ones where the worker does not answer. */
  readMetrics(): Promise<void>
  readonly lastMetrics: MetricsSnapshot
}

/** The metrics of all processes as one. */
export interface SummedMetrics extends Pick<PrometheusMetrics, 'text'> {
  add(worker: WorkerMetrics): void
  /** Keeps the counts of a worker that has ended, so that no counter decreases. */
  retain(worker: WorkerMetrics): void
}

/** Sums counters, histograms and gauges. What is measured of each process is summed or averaged as prom-client says. */
export function summedMetrics(own: Pick<PrometheusMetrics, 'snapshot'>): SummedMetrics {
  const workers = new Set<WorkerMetrics>()
  let ended: readonly MetricsSnapshot[] = []
  let isMerging = false

  const mergeEnded = async (): Promise<void> => {
    if (isMerging) return
    isMerging = true
    const taken = ended
    const merged = await AggregatorRegistry.aggregate([...taken]).getMetricsAsJSON()
    ended = [merged, ...ended.filter((snapshot) => !taken.includes(snapshot))]
    isMerging = false
  }
  return {
    add: (worker) => void workers.add(worker),
    retain(worker) {
      if (!workers.delete(worker)) return
      ended = [...ended, countsOf(worker.lastMetrics)]
      void mergeEnded()
    },
    async text() {
      const [primary] = await Promise.all([own.snapshot(), ...[...workers].map((worker) => worker.readMetrics())])
      const current = [...workers].map(({ lastMetrics }) => lastMetrics)
      return AggregatorRegistry.aggregate([primary, ...ended, ...current]).metrics()
    },
  }
}

/** Gauges end with their process. The types of prom-client are those of an enumeration that it does not have. */
const countsOf = (snapshot: MetricsSnapshot): MetricsSnapshot =>
  snapshot.filter(({ type }) => ['counter', 'histogram'].includes(String(type)))
