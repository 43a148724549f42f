import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { exactInteger } from '../dialects/exact-integer.ts'

interface Statement {
  readonly text: string
  readonly values: unknown[]
  readonly types: { getTypeParser(type: number, format?: string): (value: string) => unknown }
}

interface Answer {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: unknown[]
}

interface HostPostgresClient {
  query(statement: Statement): Promise<Answer>
  release(destroy?: boolean): void
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

/** What is used of a pool of `pg`. */
export interface HostPostgresPool {
  readonly options?: object
  /** The number of its connections, which a single client does not have. */
  readonly totalCount: number
  connect(): Promise<HostPostgresClient>
}

const [BOOL, INT8, INT2, INT4, FLOAT4, FLOAT8] = [16, 20, 21, 23, 700, 701]

/** Reads values as this package stores them, regardless of the parsers that the host has set. Others stay text. */
const types: Statement['types'] = {
  getTypeParser: (type) => {
    if (type === INT8 || type === INT2 || type === INT4) return exactInteger
    if (type === FLOAT4 || type === FLOAT8) return Number
    if (type === BOOL) return (value) => value === 't'
    return (value) => value
  },
}

/**
 * Runs Kysely on a pool of the host without changing its sessions, and never ends it.
 *
 * @throws {TypeError} when the pool reads values in the binary format
 */
export function postgresHostPool(pool: HostPostgresPool): PostgresPool {
  const { options = {} } = pool
  if ('binary' in options && options.binary === true) {
    throw new TypeError('A pool of `pg` with `binary: true` is not supported.')
  }
  return {
    options,
    end: async () => {},
    connect: async () => checkedOut(await pool.connect()),
  }
}

function checkedOut(client: HostPostgresClient): PostgresPoolClient {
  // A connection that breaks while it is in use fails its statement, and must not end the process.
  const ignore = () => {}
  client.on('error', ignore)

  function query<R>(text: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, parameters: readonly unknown[] = []): unknown {
    if (typeof text !== 'string') throw new TypeError('cursors are not supported')
    return client.query({ text, values: [...parameters], types })
  }

  const release = (destroy?: boolean) => {
    client.removeListener('error', ignore)
    client.release(destroy)
  }
  return { query, release }
}
