export type { Transport, TransportMount } from './transport.ts'
export { transportConformance } from './transport-conformance.ts'
