import type { MetricDefinition, MetricLabels, MetricsRecorder } from './metrics-recorder.ts'

/** Records a value with labels of its metric. Never throws. */
export type Measure = <Label extends string, Labels extends MetricLabels>(
  metric: MetricDefinition & { readonly labels: readonly Label[] },
  value: number,
  labels: Labels & Readonly<Record<Exclude<keyof Labels, Label>, never>>,
) => void

/** Makes a recorder where the failure of one value loses no other. */
export const createMeasure =
  (recorder: MetricsRecorder, onFault: (error: unknown) => void): Measure =>
  (metric, value, labels) => {
    try {
      recorder.record(metric, value, labels)
    } catch (error) {
      onFault(error)
    }
  }
