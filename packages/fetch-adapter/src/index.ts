export type { FetchHandler, FetchHandlerOptions, FetchPeer } from './fetch-handler.ts'
export { fetchHandler } from './fetch-handler.ts'
