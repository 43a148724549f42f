export type { AdminCheck, AdminCredentials } from '@trivium/http-contract'
export type { ConsoleRoutesOptions, ConsoleService, StatePlace } from './routes/console-routes.ts'
export { consoleRoutes } from './routes/console-routes.ts'
