import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'
import { settingNames } from '../examples/reference-server/src/settings.ts'
import { type MeasuredProcess, startMeasured } from './measured-process.ts'

/**
 * The reference server as `npm start` starts it: from its sources, with the default of every setting that is not given, and
 * with a data directory of its own. It differs in that `accounting.ts` is loaded into it, that a channel to this process is
 * open, and that its output is a pipe.
 */
export interface ReferenceServer extends Pick<MeasuredProcess, 'url' | 'pid' | 'account' | 'pauses'> {
  /** Sends a request as the admin, over one persistent connection. Rejects without a success. */
  ask(method: Method, path: string, body?: unknown): Promise<string>
  stop(): Promise<void>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ReferenceServerOptions {
  readonly environment?: NodeJS.ProcessEnv
  readonly execArgv?: readonly string[]
  /** @default a temporary directory, which is deleted at the end */
  readonly dataDirectory?: string
  /** Root of another checkout, whose server is started. @default this one */
  readonly checkout?: string
}

/** The password of the admin. */
export const PASSWORD = randomBytes(12).toString('hex')
/** The header with which the admin is recognised. */
export const authorization = `Basic ${btoa(`admin:${PASSWORD}`)}`

/** Settings of the shell that runs the benchmark would replace defaults. The server has a compile cache of its own. */
const defaults = Object.fromEntries(
  ['TRIVIUM_CONFIG', 'NODE_COMPILE_CACHE', ...settingNames].map((name) => [name, undefined]),
)

export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const running = await startMeasured({
    module: join(options.checkout ?? join(import.meta.dirname, '..'), 'examples/reference-server/start.js'),
    args: ['--port', '0', '--data-dir', dataDirectory],
    environment: { ...defaults, TRIVIUM_ADMIN_PASSWORD: PASSWORD, ...options.environment },
    ...(options.execArgv && { execArgv: options.execArgv }),
  })
  const client = new Client(running.url)
  return {
    url: running.url,
    pid: running.pid,
    account: running.account,
    pauses: running.pauses,
    async ask(method, path, body) {
      const response = await client.request({
        method,
        path,
        headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.body.text()
      if (response.statusCode >= 300) throw new Error(`${method} ${path}: ${response.statusCode} ${text}`)
      return text
    },
    async stop() {
      await client.destroy()
      await running.stop()
      if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
