export type { FetchHandler, FetchHandlerOptions } from './fetch-handler.ts'
export { fetchHandler } from './fetch-handler.ts'
export type { FetchHost, FetchPeer } from './fetch-host.ts'
