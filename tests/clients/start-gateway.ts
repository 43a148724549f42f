import { anthropicProvider } from '@trivium/anthropic-provider'
import { fastifyRoutes } from '@trivium/fastify-adapter'
import { createGateway } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import { openAiProvider } from '@trivium/openai-provider'
import { localSearch } from '@trivium/search-engines/local'
import fastify from 'fastify'
import type { Host } from './client.ts'

export interface RunningGateway extends Pick<Host, 'url' | 'key'> {
  close(): Promise<void>
}

/** The admin alone has these by default, as the upstream's files are those of all keys. */
const filesForKeys = {
  uploadFile: 'key',
  getFileContent: 'key',
  deleteFile: 'key',
  createBatch: 'key',
  getBatch: 'key',
  cancelBatch: 'key',
} as const

/** The page that every search for `switches` finds. */
export const FOUND = {
  url: 'https://example.com/switches',
  title: 'Switches',
  body: 'Switches learn from frames.',
} as const

/** Starts the gateway on loopback, as the hosts of the examples do, in front of the scripted upstreams. */
export async function startGateway({ openai, chat, anthropic }: Host['upstreams']): Promise<RunningGateway> {
  const models = ['gpt-5', 'gpt-5.5', 'gpt-4o', 'claude-opus-4-8', 'gpt-image-1', 'text-embedding-3-small']
  const providers = [
    openAiProvider({
      ...{ id: 'openai', baseUrl: `${openai.url}/v1`, apiKey: 'sk-upstream', dialects: ['chat', 'responses'] },
    }),
    openAiProvider({ id: 'chat', baseUrl: `${chat.url}/v1`, apiKey: 'sk-upstream', models }),
    anthropicProvider({
      baseUrl: anthropic.url,
      apiKey: 'sk-ant-upstream',
      models: ['claude-sonnet-4-5', 'claude-opus-4-8', 'gpt-5.5'],
    }),
  ]
  const gateway = createGateway({ providers, searchEngines: [localSearch({ documents: [FOUND] })] })
  const issued = await gateway.apiKeys.generate({ username: 'client', rateLimit: 100_000 })
  if (issued.isErr()) throw new Error('The gateway issues no key.')
  const app = fastify({ forceCloseConnections: true })
  app.register(fastifyRoutes(gatewayRoutes(gateway, { authorize: filesForKeys })))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    key: issued.value.secret,
    async close() {
      await app.close()
      await gateway.close()
      await Promise.all(providers.map((provider) => provider.close?.()))
    },
  }
}
