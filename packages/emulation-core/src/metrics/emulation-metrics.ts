import type { MetricDefinition } from './metrics-recorder.ts'

/** The metrics of an emulation. */
export const emulationMetrics = {
  running: {
    name: 'trivium.emulation.instance.running',
    kind: 'gauge',
    description: 'Instances that run or are suspended, by kind',
    unit: '{instance}',
    labels: ['kind'],
  },
  starts: {
    name: 'trivium.emulation.instance.starts',
    kind: 'counter',
    description: 'Starts of instances, by kind and accelerator',
    unit: '{start}',
    labels: ['kind', 'accelerator'],
  },
  captures: {
    name: 'trivium.emulation.capture.running',
    kind: 'gauge',
    description: 'Captures that write to a file',
    unit: '{capture}',
    labels: [],
  },
  captureBytes: {
    name: 'trivium.emulation.capture.size',
    kind: 'gauge',
    description: 'Size of the capture files of all projects, in steps of 64 KiB while they are written',
    unit: 'By',
    labels: [],
  },
  limitedCaptures: {
    name: 'trivium.emulation.capture.limited',
    kind: 'counter',
    description: 'Captures that ended at a limit of their own or of their project',
    unit: '{capture}',
    labels: ['limit'],
  },
  expired: {
    name: 'trivium.emulation.retention.removed',
    kind: 'counter',
    description: 'Files that were deleted after their retention had expired',
    unit: '{file}',
    labels: ['kind'],
  },
  logged: {
    name: 'trivium.emulation.log.written',
    kind: 'counter',
    description: 'Bytes written to the logs of emulators, those replaced since included',
    unit: 'By',
    labels: ['kind'],
  },
  consoleRefusals: {
    name: 'trivium.emulation.console.refusals',
    kind: 'counter',
    description: 'Connections to consoles and monitors that were closed because a web page made them',
    unit: '{connection}',
    labels: ['port'],
  },
} as const satisfies Record<string, MetricDefinition>
