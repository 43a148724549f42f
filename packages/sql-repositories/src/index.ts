export type { Database, DatabaseOptions } from './database.ts'
export type { HostDatabaseOptions, SqliteDatabase } from './open-database.ts'
export { openDatabase } from './open-database.ts'
