/** What a metric is, for what keeps it. */
export interface MetricDefinition {
  /** Dotted, as OpenTelemetry writes them; Prometheus has underscores in their place. */
  readonly name: string
  /** A gauge is a state: its last value replaces the one before. */
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  /** In UCUM: `s`, `By`, `{token}`. */
  readonly unit: string
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[]
}

/** Attributes of one value, by the names of OpenTelemetry's conventions. */
export type MetricLabels = Readonly<Record<string, string>>

/** Keeps measurements: OpenTelemetry does, and a host may add another one, such as Prometheus. */
export interface MetricsRecorder {
  /** Adds to a counter, sets a gauge, or puts a value into a histogram. Labels have few different values. */
  record(metric: MetricDefinition, value: number, labels: MetricLabels): void
}
