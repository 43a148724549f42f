export type { AccessRequest, AccessRule } from './access/access.ts'
export { gatewayContract } from './contract.ts'
export type { GatewayRoutesOptions } from './routes.ts'
export { gatewayRoutes } from './routes.ts'
