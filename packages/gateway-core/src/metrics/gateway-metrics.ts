import type { MetricDefinition } from './metrics-recorder.ts'

/** The metrics of a gateway. Names follow OpenTelemetry's conventions for generative AI where these define one. */
export const gatewayMetrics = {
  duration: {
    name: 'gen_ai.client.operation.duration',
    kind: 'histogram',
    description: 'Time from a request to the end of its answer',
    unit: 's',
    buckets: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  },
  firstToken: {
    name: 'gen_ai.server.time_to_first_token',
    kind: 'histogram',
    description: 'Time from a request to the first event of its stream',
    unit: 's',
    buckets: [0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
  },
  tokens: {
    name: 'gen_ai.client.token.usage',
    kind: 'histogram',
    description: 'Input and output tokens of a request',
    unit: '{token}',
    buckets: [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864],
  },
  requests: {
    name: 'trivium.gateway.requests',
    kind: 'counter',
    description: 'Admitted requests that have ended',
    unit: '{request}',
  },
  refusals: {
    name: 'trivium.gateway.refusals',
    kind: 'counter',
    description: 'Requests that a limit or a budget refused',
    unit: '{request}',
  },
  upstreamFailures: {
    name: 'trivium.gateway.upstream.failures',
    kind: 'counter',
    description: 'Failed attempts at an upstream',
    unit: '{attempt}',
  },
  circuitOpenings: {
    name: 'trivium.gateway.circuit.openings',
    kind: 'counter',
    description: 'Openings of circuit breakers',
    unit: '{opening}',
  },
  expired: {
    name: 'trivium.gateway.retention.removed',
    kind: 'counter',
    description: 'Records and keys that were removed because their retention has expired',
    unit: '{record}',
  },
  droppedUsage: {
    name: 'trivium.gateway.usage.dropped',
    kind: 'counter',
    description: 'Lost usage records',
    unit: '{record}',
  },
} as const satisfies Record<string, MetricDefinition>
