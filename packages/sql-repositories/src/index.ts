export type { Credentials } from './credentials/credentials.ts'
export type { Database, DatabaseOptions, DatabaseSettings } from './database.ts'
export type {
  HostDatabaseOptions,
  HostKyselyOptions,
  HostPoolOptions,
  HostSqliteOptions,
} from './host/host-options.ts'
export type { TableNaming } from './naming/table-naming.ts'
export { openDatabase } from './open-database.ts'
