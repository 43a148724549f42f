/** The definition of a metric, for a recorder. */
export interface MetricDefinition {
  /** With dots, as in OpenTelemetry. Prometheus has underscores in their place. */
  readonly name: string
  /** The latest value of a gauge replaces the previous one. */
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  /** A UCUM unit: `s`, `By`, `{token}`. */
  readonly unit: string
  /** The upper bounds of a histogram's buckets. */
  readonly buckets?: readonly number[]
}

/** Attributes of one value, named by the conventions of OpenTelemetry. */
export type MetricLabels = Readonly<Record<string, string>>

/** Records measurements. A host can add a recorder to OpenTelemetry, such as Prometheus. */
export interface MetricsRecorder {
  /** Adds to a counter, sets a gauge or adds a value to a histogram. Labels have few different values. */
  record(metric: MetricDefinition, value: number, labels: MetricLabels): void
}
