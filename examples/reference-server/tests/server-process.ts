import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownPortSettings } from './own-ports.ts'

/** The reference server in a process of its own, as a user starts it, with its own data directory and ports. */
export interface ServerProcess {
  readonly url: string
  readonly dataDirectory: string
  readonly process: ChildProcess
  /** Returns everything that it has printed so far. */
  readonly output: () => string
  /** The `authorization` header of the admin. */
  readonly admin: string
  /** Sends a request as the admin. The body is sent as JSON. */
  ask(path: string, request?: AdminRequest): Promise<Response>
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>
  /** Sends SIGKILL, as a crash. Resolves when the process has ended. */
  kill(): Promise<void>
  /** Starts a server over the same data directory. */
  restart(): Promise<ServerProcess>
  [Symbol.asyncDispose](): Promise<void>
}

export interface AdminRequest {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface ServerOptions {
  readonly transport?: 'fastify' | 'express' | 'fetch'
  readonly environment?: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly dataDirectory?: string
  /** A program and its arguments that start the server, as `setpriv` or `strace` do. */
  readonly launcher?: readonly string[]
  /** The root of the repository whose server is started. @default this one */
  readonly tree?: string
}

export const ADMIN_PASSWORD = 'correct horse battery staple'

const START_TIMEOUT_MS = 90_000

export async function startServer(options: ServerOptions = {}): Promise<ServerProcess> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'trivium-server-'))
  const ports = await ownPortSettings()
  const tree = options.tree ?? join(import.meta.dirname, '../../..')
  const [program = process.execPath, ...words] = [...(options.launcher ?? []), process.execPath]
  const child = spawn(
    program,
    [
      ...words,
      '--conditions=@trivium/source',
      join(tree, 'examples/reference-server/start.js'),
      ...['--port', '0', '--data-dir', dataDirectory],
      ...['--transport', options.transport ?? 'fastify'],
      ...(options.args ?? []),
    ],
    {
      env: {
        PATH: process.env.PATH,
        HOME: dataDirectory,
        TRIVIUM_ADMIN_PASSWORD: ADMIN_PASSWORD,
        ...ports,
        ...options.environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const exited = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const url = await Promise.race([
    untilUrl(child, () => output),
    exited.then(() => Promise.reject(new Error(`the server ended at its start:\n${output}`))),
    new Promise<never>((_resolve, reject) =>
      setTimeout(
        () => reject(new Error(`no address within ${START_TIMEOUT_MS} ms:\n${output}`)),
        START_TIMEOUT_MS,
      ).unref(),
    ),
  ])
  const admin = `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`
  const server: ServerProcess = {
    url,
    dataDirectory,
    process: child,
    output: () => output,
    admin,
    ask: (path, { method = 'GET', body, headers, signal } = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: admin,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      }),
    async stop() {
      child.kill('SIGTERM')
      await exited
      return child.exitCode
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
    restart: () => startServer({ ...options, dataDirectory }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) await server.stop()
      if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
  return server
}

function untilUrl(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const url = /^.*listening on (https?:\/\/\S+)/m.exec(output())?.[1]
      if (url) resolve(url)
    }
    child.stdout?.on('data', look)
  })
}

/** Creates an API key over HTTP. */
export async function createKey(
  server: ServerProcess,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const response = await server.ask('/v1/auth/generate-key', {
    method: 'POST',
    body: { username: 'test-user', ...fields },
  })
  const body: unknown = await response.json()
  if (typeof body === 'object' && body !== null && 'api_key' in body && typeof body.api_key === 'string')
    return body.api_key
  throw new Error(`no key: ${response.status} ${JSON.stringify(body)}`)
}
