/** Describes a metric to its recorder. */
export interface MetricDefinition {
  /** With dots as in OpenTelemetry. Prometheus uses underscores instead. */
  readonly name: string
  /** A counter adds values, a gauge keeps the last one, and a histogram counts them in buckets. */
  readonly kind: 'counter' | 'gauge' | 'histogram'
  readonly description: string
  /** A UCUM unit, such as `s`, `By` or `{token}`. */
  readonly unit: string
  /** The upper bounds of a histogram's buckets in its unit, ascending. Absent for counters and gauges. */
  readonly buckets?: readonly number[]
  /** The names of all labels that its values may have. A value may lack some. */
  readonly labels: readonly string[]
}

/** The attributes of one value, named as in OpenTelemetry's conventions. */
export type MetricLabels = Readonly<Record<string, string>>

/** One value of a gauge. */
export interface GaugeValue {
  readonly value: number
  readonly labels: MetricLabels
}

/** Records measurements. OpenTelemetry is built in, and a host can add another one, such as Prometheus. */
export interface MetricsRecorder {
  /**
   * Adds to a counter, sets a gauge or adds a value to a histogram. Labels are those of the metric, with few different
   * values, and are never changed: frequent values come with the same object, so that a recorder can find what belongs to it
   * by identity. Errors that it throws go to `onFault`.
   */
  record(metric: MetricDefinition, value: number, labels: MetricLabels): void
  /**
   * Replaces all values of a gauge, so that those whose labels are absent end. Such a gauge never goes to `record`.
   *
   * @default these gauges are left out
   */
  replace?(metric: MetricDefinition, values: readonly GaugeValue[]): void
}
