import type { MetricDefinition } from '@trivium/gateway-core/ports'

/** The metrics of an audit log. */
export const auditMetrics = {
  written: {
    name: 'trivium.audit.written',
    kind: 'counter',
    description: 'Bytes that were written to the audit log',
    unit: 'By',
    labels: [],
  },
  rotations: {
    name: 'trivium.audit.rotations',
    kind: 'counter',
    description: 'Files of the audit log that were rotated because they were full',
    unit: '{file}',
    labels: [],
  },
  dropped: {
    name: 'trivium.audit.dropped',
    kind: 'counter',
    description: 'Lines that were dropped because the audit log could not be written',
    unit: '{line}',
    labels: [],
  },
} as const satisfies Record<string, MetricDefinition>
