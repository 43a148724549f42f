import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { openDatabase } from '../src/open-database.ts'

/** A database server for one test, which can be killed and started again with its data. */
export interface OwnServer {
  readonly url: string
  /** Resolves when the server answers. */
  start(): Promise<void>
  /** Ends the server as a crash would. */
  kill(): Promise<void>
  /** Kills the server and removes its data. */
  remove(): Promise<void>
}

export interface OwnServerKind {
  readonly name: string
  create(): Promise<OwnServer>
}

interface Program {
  readonly command: string
  readonly arguments: readonly string[]
}

interface Installation {
  readonly name: string
  /** Whether the server is installed. */
  readonly found: boolean
  readonly url: (port: number) => string
  readonly initialise: (directory: string) => Program
  readonly run: (directory: string, port: number) => Program
  /** Ends the server immediately, without a clean shutdown. */
  readonly crash: NodeJS.Signals
  /** The user that must run the server where the tests run as root. */
  readonly user?: { readonly uid: number; readonly gid: number }
}

const postgresPrograms = newestPostgres()

const postgres: Installation = {
  name: 'PostgreSQL',
  found: postgresPrograms !== undefined,
  url: (port) => `postgres://trivium@127.0.0.1:${port}/postgres`,
  initialise: (directory) => ({
    command: `${postgresPrograms}/initdb`,
    arguments: ['-D', join(directory, 'data'), '-U', 'trivium', '-A', 'trust', '-N', '--no-locale', '-E', 'UTF8'],
  }),
  run: (directory, port) => ({
    command: `${postgresPrograms}/postgres`,
    arguments: ['-D', join(directory, 'data'), '-p', String(port), '-h', '127.0.0.1', '-k', directory],
  }),
  // PostgreSQL's "immediate shutdown" ends all its processes. SIGKILL would leave the child processes behind.
  crash: 'SIGQUIT',
  ...(process.getuid?.() === 0 && userNamed('postgres')),
}

const mariadb: Installation = {
  name: 'MariaDB',
  found: existsSync('/usr/sbin/mariadbd') && existsSync('/usr/bin/mariadb-install-db'),
  url: (port) => `mysql://root@127.0.0.1:${port}/mysql`,
  initialise: (directory) => ({
    command: '/usr/bin/mariadb-install-db',
    arguments: [
      '--no-defaults',
      `--datadir=${join(directory, 'data')}`,
      // At its start MariaDB removes temporary files there, those of other servers too.
      `--tmpdir=${directory}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--skip-name-resolve',
      '--user=root',
    ],
  }),
  run: (directory, port) => ({
    command: '/usr/sbin/mariadbd',
    arguments: [
      '--no-defaults',
      `--datadir=${join(directory, 'data')}`,
      `--tmpdir=${directory}`,
      `--port=${port}`,
      `--socket=${join(directory, 'socket')}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--innodb-buffer-pool-size=16M',
      '--user=root',
    ],
  }),
  crash: 'SIGKILL',
}

export const ownServers: readonly OwnServerKind[] = [postgres, mariadb].filter(isInstalled).map((installation) => ({
  name: installation.name,
  create: () => createOwnServer(installation),
}))

async function createOwnServer({ initialise, run, url, crash, user }: Installation): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-server-'))
  if (user) chownSync(directory, user.uid, user.gid)
  const setUp = initialise(directory)
  execFileSync(setUp.command, setUp.arguments, { stdio: 'ignore', cwd: directory, ...user })
  const port = await freePort()
  let child: ChildProcess | undefined

  const kill = async () => {
    if (child === undefined) return
    const exit = once(child, 'exit')
    child.kill(crash)
    await exit
    child = undefined
  }
  return {
    url: url(port),
    start: async () => {
      const { command, arguments: list } = run(directory, port)
      child = spawn(command, list, { stdio: 'ignore', cwd: directory, ...user })
      await vi.waitFor(() => ping(url(port)), { timeout: 30_000, interval: 50 })
    },
    kill,
    remove: async () => {
      await kill()
      rmSync(directory, { recursive: true, maxRetries: 5 })
    },
  }
}

async function ping(url: string): Promise<void> {
  const database = await openDatabase({ url, connectTimeoutMs: 500 })
  try {
    await sql`select 1`.execute(database.kysely)
  } finally {
    await database.close()
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return address.port
}

function newestPostgres(): string | undefined {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((one, other) => Number(other) - Number(one)) : []
  return versions.map((version) => `${root}/${version}/bin`).find((directory) => existsSync(`${directory}/initdb`))
}

function userNamed(name: string): { readonly user?: { readonly uid: number; readonly gid: number } } {
  try {
    const id = (option: string) => Number(execFileSync('id', [option, name], { encoding: 'utf8' }))
    return { user: { uid: id('-u'), gid: id('-g') } }
  } catch {
    return {}
  }
}

function isInstalled({ name, found }: Installation): boolean {
  if (found) return true
  if (process.env.TRIVIUM_REQUIRE_SERVICES === '1') throw new Error(`${name} is not installed`)
  console.warn(`Skipped: ${name} is not installed`)
  return false
}
