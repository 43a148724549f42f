import { gatewayContract } from '@trivium/gateway-core/http'
import type { Client } from '@trivium/http-client'
import { useClient } from './use-client.ts'

export type GatewayClient = Client<typeof gatewayContract>

/** Returns the client of the gateway. */
export const useGateway = (): GatewayClient => useClient('gateway', gatewayContract)
