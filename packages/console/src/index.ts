export type { ConsoleRoutesOptions } from './routes/console-routes.ts'
export { consoleRoutes } from './routes/console-routes.ts'
