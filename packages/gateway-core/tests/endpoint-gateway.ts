import type { ServerResponse } from 'node:http'
import { openAiProvider } from '@trivium/openai-provider'
import OpenAI from 'openai'
import { serveGateway } from './serve-gateway.ts'
import { type SeenRequest, upstreamServer } from './upstream-server.ts'

const MODELS = [
  'big',
  'whisper-1',
  'text-embedding-3-small',
  'omni-moderation-latest',
  'tts-1',
  'rerank-v3',
  'rerank-v3.5',
  'gpt-4o-mini-tts',
  'gpt-image-1',
  'davinci-002',
]

export const json =
  (value: unknown, status = 200) =>
  (_: SeenRequest, response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }

export const events = (response: ServerResponse, ...values: readonly unknown[]): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const value of values) response.write(`data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`)
}

/** A gateway before one upstream with OpenAI's interface, and a client of it. */
export async function startEndpoints(answer: (request: SeenRequest, response: ServerResponse) => void) {
  const upstream = await upstreamServer(answer)
  const provider = openAiProvider({
    id: 'up',
    baseUrl: `${upstream.origin}/v1`,
    apiKey: 'sk-upstream-secret',
    models: MODELS,
  })
  const served = await serveGateway('express', { providers: [provider], retries: { retries: 0 } })
  const { secret } = (await served.gateway.apiKeys.generate({ username: 'ada' }))._unsafeUnwrap()
  const client = new OpenAI({ apiKey: secret, baseURL: `${served.url}/v1`, maxRetries: 0 })
  const records = new Promise<Parameters<Parameters<typeof served.gateway.events.once<'request.finished'>>[1]>[0]>(
    (resolve) => {
      served.gateway.events.once('request.finished', resolve)
    },
  )
  return { ...served, upstream, client, secret, record: records }
}
