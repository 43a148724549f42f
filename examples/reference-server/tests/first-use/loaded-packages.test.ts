import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ServerOptions, startServer } from '../server-process.ts'

/** What a start without settings has no use for. */
const unused = [
  '@anthropic-ai/sdk',
  '@hono/node-server',
  '@trivium/ai-sdk-provider',
  '@trivium/anthropic-provider',
  '@trivium/express-adapter',
  '@trivium/fetch-adapter',
  '@trivium/linux-volumes',
  '@trivium/openai-provider',
  '@trivium/provider-kit',
  '@trivium/redis-repositories',
  '@trivium/search-engines',
  '@valibot/to-json-schema',
  'ai',
  'esbuild',
  'express',
  'gpt-tokenizer',
  'htmlparser2',
  'ioredis',
  'minisearch',
  'mysql2',
  'openai',
  'pg',
  'pngjs',
  'typescript',
  'undici',
  'vite',
  'yaml',
]

/** The packages with a module that is a loaded file, or a part of a bundle that is one. */
async function loadedPackages(options: ServerOptions): Promise<ReadonlySet<string>> {
  const directory = mkdtempSync(join(tmpdir(), 'trivium-loaded-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const list = join(directory, 'files.json')
  const preload = join(import.meta.dirname, 'loaded-files.ts')
  await using server = await startServer({
    ...options,
    environment: { ...options.environment, NODE_OPTIONS: `--import=${preload}`, LOADED_FILES: list },
  })
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  server.process.kill('SIGUSR2')
  await vi.waitFor(() => expect(existsSync(list)).toBe(true))
  const files: readonly string[] = JSON.parse(readFileSync(list, 'utf8'))
  const modules = files.flatMap((file) => [file, ...(file.endsWith('.mjs') ? partsOf(file) : [])])
  return new Set(modules.flatMap((module) => packageOf(module) ?? []))
}

/** The bundler names each module before its code. */
const partsOf = (bundle: string): readonly string[] =>
  [...readFileSync(bundle, 'utf8').matchAll(/^\s*(?:\/\/ |")((?:packages|node_modules)\/[^\s"]+)/gm)].map(
    ([, part = '']) => part,
  )

function packageOf(module: string): string | undefined {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/.][^/]*)\//.exec(module)?.[1]
  if (installed !== undefined) return installed
  const own = /(?:^|\/)packages\/([^/]+)\/(?:src|dist)\//.exec(module)?.[1]
  return own === undefined ? undefined : `@trivium/${own}`
}

describe('the packages of a start', () => {
  it('loads no transport, driver, provider, page or tool that no setting names', async () => {
    const loaded = await loadedPackages({})
    expect([...loaded]).toEqual(
      expect.arrayContaining(['fastify', 'kysely', '@trivium/gateway-core', '@trivium/local-provider']),
    )
    expect(unused.filter((name) => loaded.has(name))).toEqual([])
  })

  it('loads the transport and the provider that settings name', async () => {
    const loaded = await loadedPackages({
      transport: 'fetch',
      environment: { OPENAI_BASE_URL: 'http://127.0.0.1:9/v1', OPENAI_MODELS: 'a', DATABASE_URL: 'memory:' },
    })
    expect([...loaded]).toEqual(
      expect.arrayContaining(['@trivium/fetch-adapter', '@trivium/openai-provider', 'undici']),
    )
    expect(['fastify', 'express', '@trivium/anthropic-provider'].filter((name) => loaded.has(name))).toEqual([])
  })
})
