/** The name, kind and unit of a metric. */
export interface MetricDefinition {
  /** Dotted, as in OpenTelemetry. Prometheus has underscores instead. */
  readonly name: string
  /** The last value of a gauge replaces the one before. */
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  /** A unit of UCUM, such as `s`, `By` or `{token}`. */
  readonly unit: string
  /** Upper bounds of a histogram. */
  readonly buckets?: readonly number[]
}

/** The attributes of a value, by the names of OpenTelemetry's conventions. */
export type MetricLabels = Readonly<Record<string, string>>

/** Receives measurements. OpenTelemetry is one recorder, and a host may add another, such as Prometheus. */
export interface MetricsRecorder {
  /** Adds to a counter, sets a gauge, or adds a value to a histogram. Labels have few different values. */
  record(metric: MetricDefinition, value: number, labels: MetricLabels): void
}
