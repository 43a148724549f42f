import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'undici'
import { type MeasuredProcess, startMeasured } from './measured-process.ts'

/** The reference server as users start it, with a data directory of its own. */
export interface ReferenceServer extends Pick<MeasuredProcess, 'url' | 'pid' | 'account'> {
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
}

/** The password of the admin. */
export const PASSWORD = 'benchmark'
const authorization = `Basic ${btoa(`admin:${PASSWORD}`)}`

export async function startReferenceServer(options: ReferenceServerOptions = {}): Promise<ReferenceServer> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'trivium-bench-'))
  const running = await startMeasured({
    module: join(import.meta.dirname, '../examples/reference-server/start.js'),
    args: ['--port', '0', '--data-dir', dataDirectory],
    environment: { TRIVIUM_ADMIN_PASSWORD: PASSWORD, ...options.environment },
    ...(options.execArgv && { execArgv: options.execArgv }),
  })
  const client = new Client(running.url)
  return {
    url: running.url,
    pid: running.pid,
    account: running.account,
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
