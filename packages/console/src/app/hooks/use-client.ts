import { type Client, createClient, createSocketClient, type SocketClient } from '@trivium/http-client'
import type { Contract, SocketContract } from '@trivium/http-contract'
import { useMemo } from 'react'
import type { ServiceName } from '../../activity/activity.ts'
import { baseUrlOf } from '../session/console-root.ts'
import { pageFetch } from '../session/session.ts'
import { useSession } from '../session/session-context.ts'

/** Returns the client of a service for a contract. It is the same object at every render. */
export function useClient<C extends Contract>(service: ServiceName, contract: C): Client<C> {
  const { headers } = useSession()
  const baseUrl = useBaseUrl(service)
  return useMemo(() => createClient(contract, { baseUrl, headers, fetch: pageFetch }), [contract, baseUrl, headers])
}

/** Returns the socket client of a service. Browsers send no credentials with sockets, so the query needs a ticket. */
export function useSockets<C extends SocketContract>(service: ServiceName, contract: C): SocketClient<C> {
  const baseUrl = useBaseUrl(service)
  return useMemo(() => createSocketClient(contract, { baseUrl }), [contract, baseUrl])
}

function useBaseUrl(service: ServiceName): string {
  const { services } = useSession().host
  return baseUrlOf(services[service]?.base_url ?? '.')
}
