export type { StorageOperation } from './contract.ts'
export { storageContract } from './contract.ts'
export type { StorageRoutesOptions } from './options.ts'
export { storageRoutes } from './routes.ts'
