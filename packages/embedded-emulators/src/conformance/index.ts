export { datagramConformance } from './datagrams.ts'
