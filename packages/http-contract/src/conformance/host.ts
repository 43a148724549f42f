export type { HostProbe } from './host-probe.ts'
export { hostProbe } from './host-probe.ts'
