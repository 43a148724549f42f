import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { ownPortSettings } from '../../../examples/reference-server/tests/own-ports.ts'
import { startExample } from '../../example-process.ts'
import type { Gauges } from '../gauges.ts'

/** The reference server in a process of its own that reports its gauges. */
export interface MeasuredServer {
  readonly url: string
  gauges(): Promise<Gauges>
  /** Sends SIGTERM. Resolves with the exit code. */
  stop(): Promise<number | null>
  [Symbol.asyncDispose](): Promise<void>
}

export const ADMIN_PASSWORD = 'correct horse battery staple'

/** @param upstream the origin of all upstreams of the gateway */
export async function startMeasuredServer(upstream: string): Promise<MeasuredServer> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-soak-'))
  const path = join(directory, 'gauges')
  const preload = pathToFileURL(join(import.meta.dirname, 'preload.ts')).href
  const server = await startExample('reference-server', {
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import ${preload}`,
    TRIVIUM_SOAK_SOCKET: path,
    TRIVIUM_ADMIN_PASSWORD: ADMIN_PASSWORD,
    OPENAI_BASE_URL: `${upstream}/v1`,
    OPENAI_MODELS: 'big,dall-e-2',
    ANTHROPIC_BASE_URL: upstream,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_MODELS: 'claude',
    DUCKDUCKGO_BASE_URL: upstream,
    ...(await ownPortSettings()),
  })
  return {
    url: server.url,
    gauges: async () => JSON.parse(await text(connect(path))),
    stop: server.stop,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
