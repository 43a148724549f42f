import { fastifyRoutes } from '@trivium/fastify-adapter'
import { gatewayContract } from '@trivium/gateway-core/http'
import { defineContract, encodedJson, implement } from '@trivium/http-contract'
import { openAiProvider } from '@trivium/openai-provider'
import fastify from 'fastify'
import { listen } from '../../gateway/servers/listen.ts'
import { plainFailures } from '../../plain-failures.ts'
import { upstreamSender } from './send-upstream.ts'

const { BENCHMARK_UPSTREAM: upstream = '' } = process.env
const { chat } = openAiProvider({ baseUrl: `${upstream}/v1`, models: ['mock-1'] })
const send = upstreamSender(upstream)
const viaProvider = process.argv[2] === 'provider'

const { createChatCompletion } = gatewayContract
let requests = 0

/**
 * The minimal relay with the contract of the gateway, which checks the request and answers with the same schemas. With
 * `provider` the provider of the gateway asks the upstream instead of undici alone.
 */
const routes = implement(
  defineContract({ createChatCompletion }),
  {
    async createChatCompletion({ body, rawBody, requestId }) {
      const bytes = rawBody ?? new Uint8Array()
      if (!viaProvider) return { status: 200, body: encodedJson((await send(bytes)).bytes) }
      const answer = await chat?.complete(
        { model: 'mock-1', body, encode: () => bytes },
        { requestId, signal: new AbortController().signal, headers: {}, connectTimeoutMs: 10_000 },
      )
      if (answer?.kind !== 'encoded') throw new Error('The upstream answered in another form.')
      return { status: 200, body: encodedJson(answer.bytes) }
    },
  },
  { failures: plainFailures, newRequestId: () => `request-${requests++}` },
)

const host = fastify()
host.register(fastifyRoutes(routes))
await host.ready()
await listen(host.server)
