import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openAiProvider } from '@trivium/openai-provider'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import { serveGateway, type TransportName } from './serve-gateway.ts'

/** What an upstream has received of a form. */
export interface SeenForm {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Names and sizes of its files. */
  readonly files: readonly (readonly [field: string, name: string, bytes: number])[]
}

export async function formOf(incoming: IncomingMessage): Promise<SeenForm> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const type = incoming.headers['content-type'] ?? ''
  const form = await new Response(Buffer.concat(chunks), { headers: { 'content-type': type } }).formData()
  const fields: Record<string, string> = {}
  const files: (readonly [string, string, number])[] = []
  for (const [name, value] of form.entries()) {
    if (typeof value === 'string') fields[name] = value
    else files.push([name, value.name, value.size])
  }
  return { path: incoming.url ?? '', fields, files }
}

export type Listener = (incoming: IncomingMessage, response: ServerResponse) => void

/** Starts an upstream that gets each request before its body is read. */
export async function startUpstream(listener: Listener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const upstreamProvider = (origin: string, id = 'up') =>
  openAiProvider({
    id,
    baseUrl: `${origin}/v1`,
    apiKey: 'sk-upstream-secret',
    models: ['whisper-1', 'gpt-4o-transcribe', 'gpt-image-1', 'dall-e-2'],
  })

export const answerJson = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value))
}

export const answerEvents = (
  response: ServerResponse,
  ...events: readonly { readonly type: string; readonly [name: string]: unknown }[]
): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

/** A gateway before one upstream, and a client of it. */
export async function startUploads(listener: Listener, transport: TransportName = 'express') {
  const origin = await startUpstream(listener)
  const served = await serveGateway(transport, { providers: [upstreamProvider(origin)], retries: { retries: 0 } })
  const { secret } = (await served.gateway.apiKeys.generate({ username: 'ada' }))._unsafeUnwrap()
  const client = new OpenAI({ apiKey: secret, baseURL: `${served.url}/v1`, maxRetries: 0 })
  const record = new Promise<unknown>((resolve) => {
    served.gateway.events.once('request.finished', resolve)
  })
  return { ...served, client, secret, record }
}
