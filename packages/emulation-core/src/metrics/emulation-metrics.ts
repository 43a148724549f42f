import type { MetricDefinition } from './metrics-recorder.ts'

/** What an emulation measures: what runs, and everything that grows. */
export const emulationMetrics = {
  running: {
    name: 'trivium.emulation.instance.running',
    kind: 'gauge',
    description: 'Instances that run or are suspended, of each kind that has run',
    unit: '{instance}',
  },
  starts: {
    name: 'trivium.emulation.instance.starts',
    kind: 'counter',
    description: 'Starts of instances, by the accelerator that the emulator has chosen',
    unit: '{start}',
  },
  captures: {
    name: 'trivium.emulation.capture.running',
    kind: 'gauge',
    description: 'Captures that write to a file',
    unit: '{capture}',
  },
  captureBytes: {
    name: 'trivium.emulation.capture.size',
    kind: 'gauge',
    description: 'Size of the capture files of all projects, in steps of 64 KiB while they are written',
    unit: 'By',
  },
  limitedCaptures: {
    name: 'trivium.emulation.capture.limited',
    kind: 'counter',
    description: 'Captures that a limit of their own or of their project ended',
    unit: '{capture}',
  },
  expired: {
    name: 'trivium.emulation.retention.removed',
    kind: 'counter',
    description: 'Files that were older than they are kept for',
    unit: '{file}',
  },
  logged: {
    name: 'trivium.emulation.log.written',
    kind: 'counter',
    description: 'Bytes that the logs of emulators took, those that were replaced since included',
    unit: 'By',
  },
  consoleRefusals: {
    name: 'trivium.emulation.console.refusals',
    kind: 'counter',
    description: 'Connections to consoles and monitors that were closed because a web page spoke',
    unit: '{connection}',
  },
} as const satisfies Record<string, MetricDefinition>
