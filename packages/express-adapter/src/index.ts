export type { AttachSocketsOptions } from '@trivium/http-contract/node'
export { expressRoutes } from './express-routes.ts'
export { expressSockets } from './express-sockets.ts'
