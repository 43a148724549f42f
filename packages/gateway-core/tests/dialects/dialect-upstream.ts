import type { ServerResponse } from 'node:http'
import { anthropicProvider } from '@trivium/anthropic-provider'
import type { Dialect, Provider } from '@trivium/gateway-core/ports'
import { openAiProvider } from '@trivium/openai-provider'
import { type SeenRequest, type UpstreamServer, upstreamServer } from '../upstream-server.ts'
import { scripts } from './dialect-scripts.ts'

export interface DialectUpstream extends UpstreamServer {
  readonly provider: Provider
}

/** Starts an upstream that speaks one dialect, and creates its provider with the id `up` and the model `big`. */
export async function dialectUpstream(
  dialect: Dialect,
  answer: (request: SeenRequest, response: ServerResponse) => void = answering(dialect),
  id = 'up',
): Promise<DialectUpstream> {
  const server = await upstreamServer(answer)
  return { ...server, provider: providerOf(dialect, server.origin, id) }
}

/** A provider of one dialect with the model `big`. */
export const providerOf = (dialect: Dialect, origin: string, id = 'up'): Provider =>
  dialect === 'messages'
    ? anthropicProvider({ id, baseUrl: origin, apiKey: 'sk-secret', models: ['big'] })
    : openAiProvider({ id, baseUrl: `${origin}/v1`, apiKey: 'sk-secret', models: ['big'], dialects: [dialect] })

/** Answers like the script of the dialect. */
export const answering =
  (dialect: Dialect) =>
  ({ body }: SeenRequest, response: ServerResponse): void => {
    const { answer, events } = scripts[dialect]
    const isStream = JSON.parse(body).stream === true
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
    response.end(isStream ? events.join('') : JSON.stringify(answer))
  }

/** Answers with these events, and ends or cuts the stream. */
export const streaming =
  (events: readonly string[], ending: 'end' | 'cut' = 'end') =>
  (_: SeenRequest, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (ending === 'end') response.end(events.join(''))
    else response.write(events.join(''), () => response.destroy())
  }
