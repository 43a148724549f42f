import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../src/open-database.ts'
import { freePort } from './own-servers.ts'
import { databaseServers, type FreshDatabase } from './test-databases.ts'

const CONNECTIONS = 2

/** A pooler that has no free session for another connection. */
interface FullPooler extends AsyncDisposable {
  readonly port: number
  /** Resolves when a connection waits for a session. */
  waiting(): Promise<unknown>
}

const waitFor = (what: () => void) => vi.waitFor(what, { timeout: 20_000, interval: 10 })

/** A proxy that answers each login, but no command of connections beyond those of the pool. */
async function fullProxy(target: number, isCommand: (chunk: Buffer) => boolean): Promise<FullPooler> {
  let connections = 0
  let held = 0
  const server = createServer((near) => {
    connections += 1
    const isServed = connections <= CONNECTIONS
    const far = connect(target, '127.0.0.1')
    near.on('data', (chunk) => {
      if (isServed || !isCommand(chunk)) far.write(chunk)
      else held += 1
    })
    far.on('data', (chunk) => near.write(chunk))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => one.destroy())
      one.on('close', () => other.destroy())
    }
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    waiting: () => waitFor(() => expect(held).toBeGreaterThan(0)),
    async [Symbol.asyncDispose]() {
      server.close()
      await once(server, 'close')
    },
  }
}

async function pgBouncer(target: URL): Promise<FullPooler> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-pgbouncer-'))
  const port = await freePort()
  const password = target.password === '' ? '' : ` password=${decodeURIComponent(target.password)}`
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${target.port || 5432} user=${decodeURIComponent(target.username)}${password}`,
    '[pgbouncer]',
    'listen_addr=127.0.0.1',
    `listen_port=${port}`,
    'unix_socket_dir=',
    'auth_type=any',
    'pool_mode=session',
    `default_pool_size=${CONNECTIONS}`,
    'ignore_startup_parameters=extra_float_digits,statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    'verbose=1',
  ]
  const file = join(directory, 'pgbouncer.ini')
  writeFileSync(file, settings.join('\n'))
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn(PGBOUNCER, [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const logins = () => log.match(/login attempt/g)?.length ?? 0
  await waitFor(() => expect(log).toContain('process up'))
  return {
    port,
    waiting: () => waitFor(() => expect(logins()).toBeGreaterThan(CONNECTIONS)),
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
      rmSync(directory, { recursive: true })
    },
  }
}

const PGBOUNCER = '/usr/sbin/pgbouncer'
const hasPgBouncer = existsSync(PGBOUNCER)
if (!hasPgBouncer) {
  const message = 'pgbouncer is not installed (apt-get install pgbouncer): its test is skipped'
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(message)
  console.warn(message)
}

const isPostgresQuery = (chunk: Buffer) => ['P', 'Q'].includes(String.fromCharCode(chunk[0] ?? 0))
/** The packets of a login continue their numbers, while those of a command begin at 0. */
const isMysqlCommand = (chunk: Buffer) => chunk[3] === 0
const addressOf = ({ url = '' }: FreshDatabase) => new URL(url)

const ways = databaseServers.flatMap((kind) => {
  const isPostgres = kind.name === 'PostgreSQL'
  const proxy = (fresh: FreshDatabase) =>
    fullProxy(
      Number(addressOf(fresh).port || (isPostgres ? 5432 : 3306)),
      isPostgres ? isPostgresQuery : isMysqlCommand,
    )
  const slow = isPostgres ? sql`select pg_sleep(4)` : sql`select sleep(4)`
  return [
    { name: `${kind.name} through a proxy`, kind, slow, open: proxy },
    ...(isPostgres && hasPgBouncer
      ? [{ name: 'PgBouncer', kind, slow, open: (fresh: FreshDatabase) => pgBouncer(addressOf(fresh)) }]
      : []),
  ]
})

// A file without a test would be a failure.
if (ways.length === 0) it.skip('needs PostgreSQL or MariaDB', () => undefined)

describe.each(ways)('a pool of $name that has no free session', { timeout: 60_000 }, ({ kind, slow, open }) => {
  it('lets slow statements finish when the server cannot be asked about them', async () => {
    const fresh = await kind.create()
    const pooler = await open(fresh)
    const url = addressOf(fresh)
    url.port = String(pooler.port)
    const database = await openDatabase({ url: url.href, maxConnections: CONNECTIONS, overdueMs: 500 })
    try {
      const ends = Promise.all(Array.from({ length: CONNECTIONS }, () => slow.execute(database.kysely)))
      await Promise.all([ends, pooler.waiting()])
    } finally {
      await database.close()
      await pooler[Symbol.asyncDispose]()
      await fresh.remove()
    }
  })
})
