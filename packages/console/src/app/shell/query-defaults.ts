import type { DefaultOptions } from '@tanstack/react-query'
import { RefusalError } from '@trivium/http-client'

const STALE_MS = 5000

/** How each page reads and writes. */
export const queryDefaults: DefaultOptions = {
  queries: {
    staleTime: STALE_MS,
    // The server refuses the same request again.
    retry: (count, error) => !(error instanceof RefusalError) && count < 2,
    // A server on this machine is reachable without a network.
    networkMode: 'always',
  },
  mutations: { networkMode: 'always' },
}
