export type { ProbeChannel, ServedTransport, SkippedPart, Transport, TransportMount } from './transport.ts'
export { transportConformance } from './transport-conformance.ts'
