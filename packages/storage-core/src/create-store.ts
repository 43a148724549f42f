import { ServiceClosed } from './lifetime.ts'
import { memoryStorageRepositories } from './memory/memory-storage-repositories.ts'
import type { StorageRepositories } from './storage-repositories.ts'
import { StoreFailure } from './store-failure.ts'
import { wrapMethods } from './wrap-methods.ts'

/** Where the state is: in repositories of the host, in a database, or else in the memory of this process. */
export interface StoreOptions {
  /** The repositories of the host. They exclude `database`. @default those of `database` */
  readonly repositories?: StorageRepositories
  /**
   * `sqlite:FILE`, `memory:`, `postgres://…` or `mysql://…`. `start()` or the first operation opens the database and
   * brings its tables up to date; `close()` closes it. Needs the package `@trivium/sql-repositories`, which a bundler
   * does not find: a bundled host opens the database itself and passes `repositories`.
   *
   * @default the memory of this process
   */
  readonly database?: string
}

/** The state of a service, and its opening and closing. */
export interface Store {
  /** Methods wait until the database is open. */
  readonly repositories: StorageRepositories
  /** Opens the database once. Rejects with a `StoreFailure`, and the next call tries again. */
  open(): Promise<unknown>
  /** Closes the database, after a running opening. What the host has opened stays open. */
  close(): Promise<void>
}

interface OpenedDatabase {
  readonly repositories: StorageRepositories
  readonly close: () => Promise<void>
}

/**
 * Chooses the store. Nothing is opened before `open`, or the first call of a method.
 *
 * @throws TypeError where both are given, and for a malformed `database`
 */
export function createStore({ repositories, database }: StoreOptions): Store {
  if (database === undefined) {
    return { repositories: repositories ?? memoryStorageRepositories(), open: async () => {}, close: async () => {} }
  }
  if (repositories !== undefined) throw new TypeError("Only one of 'repositories' and 'database' can be given.")
  if (typeof database !== 'string' || !ADDRESS.test(database)) {
    throw new TypeError("'database' must be an address such as 'sqlite:storage.sqlite'.")
  }
  let opened: OpenedDatabase | undefined
  let opening: Promise<OpenedDatabase> | undefined
  let isClosed = false
  const open = (): Promise<OpenedDatabase> => {
    if (isClosed) return Promise.reject(new ServiceClosed('storage'))
    opening ??= openDatabase(database).then(
      (result) => {
        opened = result
        return result
      },
      (error) => {
        opening = undefined
        throw error
      },
    )
    return opening
  }
  return {
    // The repositories of any store have the same methods.
    repositories: wrapMethods(memoryStorageRepositories(), (call) =>
      opened ? call(opened.repositories) : open().then((result) => call(result.repositories)),
    ),
    open: () => open().then(undefined, storeFailed),
    async close() {
      isClosed = true
      const result = await opening?.catch(() => undefined)
      await result?.close()
    },
  }
}

const ADDRESS = /^(sqlite:.|memory:$|(postgres|postgresql|mysql|mariadb):\/\/)/

function storeFailed(cause: unknown): never {
  if (StoreFailure.is(cause)) throw cause
  throw new StoreFailure(
    cause,
    `The database cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`,
  )
}

/** The part of `@trivium/sql-repositories` that is used, which depends on this package and not the other way round. */
interface SqlRepositories<Database> {
  openDatabase(address: string): Promise<Database & { close(): Promise<void> }>
}

interface SqlStorage<Database> {
  migrateStorage(database: Database): Promise<void>
  sqlStorageRepositories(database: Database): StorageRepositories
}

async function openDatabase(address: string): Promise<OpenedDatabase> {
  const sql = await load<SqlRepositories<object>>('@trivium/sql-repositories')
  const storage = await load<SqlStorage<object>>('@trivium/sql-repositories/storage')
  const database = await sql.openDatabase(address)
  try {
    await storage.migrateStorage(database)
  } catch (error) {
    await database.close()
    throw error
  }
  return { repositories: storage.sqlStorageRepositories(database), close: () => database.close() }
}

/** Bundlers leave a name in a variable alone, so that a host without a database needs no SQL package. */
async function load<Module>(name: string): Promise<Module> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ name)
  } catch (cause) {
    throw new Error(
      "The option 'database' needs a package: npm install @trivium/sql-repositories. In a bundle, open the database and pass 'repositories'.",
      { cause },
    )
  }
}
