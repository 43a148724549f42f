export type { LoadOptions } from './load.ts'
export { loadNativeDatagrams } from './load.ts'
export type { NativeDatagrams } from './native-datagrams.ts'
