export { storageContract } from './contract.ts'
export type { StorageRoutesOptions } from './options.ts'
export { storageRoutes } from './routes.ts'
