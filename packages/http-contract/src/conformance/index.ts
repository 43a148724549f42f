export type { Exception, ServedTransport, Transport, TransportMount } from './transport.ts'
export { transportConformance } from './transport-conformance.ts'
