export type { Database, DatabaseOptions } from './database.ts'
export { openDatabase } from './open-database.ts'
