import type { MetricDefinition, MetricLabels } from '@trivium/gateway-core/ports'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

type LabelValues = Record<string, string>

/** The values of one label set. */
export interface Series {
  /** @throws RangeError for a value that the metric cannot have */
  add(value: number): void
}

interface ShownSeries extends Series {
  /** Returns the lines of the text format. */
  shown(): Shown[]
}

interface Shown {
  readonly value: number
  readonly labels: Record<string, string | number>
  readonly metricName?: string
}

/** All series of one metric. */
export class SeriesSet<Kind extends Series = Series> {
  #byObject = new WeakMap<MetricLabels, Kind>()
  readonly #byValues = new Map<string, Kind>()
  readonly #make: (labels: LabelValues) => Kind

  constructor(make: (labels: LabelValues) => Kind) {
    this.#make = make
  }

  /** Finds the series of labels, first by the identity of their object. */
  of(labels: MetricLabels): Kind {
    const known = this.#byObject.get(labels)
    if (known) return known
    const entries = Object.entries(labels).map(([name, value]) => [prometheusName(name), value] as const)
    const key = JSON.stringify([...entries].sort(([one], [other]) => (one < other ? -1 : 1)))
    const series = this.#byValues.get(key) ?? this.#make(Object.fromEntries(entries))
    this.#byValues.set(key, series)
    this.#byObject.set(labels, series)
    return series
  }

  /** Ends all series. */
  clear(): void {
    this.#byObject = new WeakMap()
    this.#byValues.clear()
  }

  get all(): readonly Kind[] {
    return [...this.#byValues.values()]
  }
}

/** The suffixes of Prometheus for the names of metrics, by unit. */
const unitSuffixes: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes' }

/** Registers a metric, whose series are counted here: `prom-client` looks for the label set by its values for each value. */
export function seriesSet(registry: Registry, definition: MetricDefinition): SeriesSet {
  const { name, kind, description, unit, buckets = [], labels } = definition
  const plain = `${prometheusName(name)}${unitSuffixes[unit] ?? ''}`
  // Prometheus requires the names when a metric is defined.
  const options = { help: description, labelNames: labels.map(prometheusName), registers: [registry] }
  if (kind === 'counter') {
    const shown = { name: `${plain}_total`, help: description, type: kind }
    return shownBy(new Counter({ ...options, name: shown.name }), shown, new SeriesSet(counterSeries))
  }
  const shown = { name: plain, help: description, type: kind }
  if (kind === 'gauge') return shownBy(new Gauge({ ...options, name: plain }), shown, new SeriesSet(gaugeSeries))
  return shownBy(
    new Histogram({ ...options, name: plain, ...(buckets.length > 0 && { buckets: [...buckets] }) }),
    shown,
    new SeriesSet((values) => histogramSeries(plain, buckets, values)),
  )
}

/** Makes a metric of `prom-client` show these series instead of its own. */
function shownBy(metric: Counter | Gauge | Histogram, shown: object, series: SeriesSet<ShownSeries>): SeriesSet {
  const get = async () => ({ ...shown, aggregator: 'sum', values: series.all.flatMap((each) => each.shown()) })
  Object.assign(metric, { get, getForPromString: get })
  return series
}

function counterSeries(labels: LabelValues): ShownSeries {
  let sum = 0
  return {
    add(value) {
      if (!(value >= 0)) throw new RangeError(`A counter cannot add ${value}.`)
      sum += value
    },
    shown: () => [{ value: sum, labels }],
  }
}

function gaugeSeries(labels: LabelValues): ShownSeries {
  let last = 0
  return {
    add(value) {
      last = value
    },
    shown: () => [{ value: last, labels }],
  }
}

function histogramSeries(name: string, buckets: readonly number[], labels: LabelValues): ShownSeries {
  const counts = buckets.map(() => 0)
  let count = 0
  let sum = 0
  return {
    add(value) {
      if (!Number.isFinite(value)) throw new RangeError(`A histogram cannot have ${value}.`)
      count += 1
      sum += value
      const index = buckets.findIndex((bound) => value <= bound)
      if (index >= 0) counts[index] = (counts[index] ?? 0) + 1
    },
    shown() {
      let below = 0
      const bounds = buckets.map((le, index) => {
        below += counts[index] ?? 0
        return { value: below, labels: { ...labels, le }, metricName: `${name}_bucket` }
      })
      return [
        ...bounds,
        { value: count, labels: { ...labels, le: '+Inf' }, metricName: `${name}_bucket` },
        { value: sum, labels, metricName: `${name}_sum` },
        { value: count, labels, metricName: `${name}_count` },
      ]
    },
  }
}

const prometheusName = (name: string): string => name.replaceAll('.', '_')
