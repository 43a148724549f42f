export type { AccessRule } from './access/access.ts'
export { gatewayContract } from './contract.ts'
export type { GatewayRoutesOptions } from './options.ts'
export { gatewayRoutes } from './routes.ts'
