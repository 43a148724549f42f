import { runClosedLoop } from '../load/closed-loop.ts'
import type { HttpTarget } from '../load/http-target.ts'

export interface Load {
  readonly name: string
  readonly model: string
  readonly stream: boolean
  readonly connections: number
  /** @default 'chat' */
  readonly dialect?: Dialect
}

export interface LoadTarget {
  /** @default '127.0.0.1' */
  readonly host?: string
  readonly port: number
  /** What precedes `/v1` in its paths. @default nothing */
  readonly path?: string
  /** Header lines of each connection. */
  readonly clients: readonly string[]
  readonly model: string
  /** What each complete answer contains. @default the tokens of the upstream's answer, or the end of a stream */
  readonly sign?: string
}

const system = 'You answer in short and friendly sentences. '.repeat(8)
const question = 'What is the weather like, and what should I wear? '.repeat(8)

/** How a client speaks one dialect: its path, its body, and the signs of complete answers. */
const dialects = {
  chat: {
    path: '/v1/chat/completions',
    body: (stream: boolean) => ({
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: question },
      ],
      temperature: 0.7,
      max_tokens: 100,
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    }),
    whole: '"total_tokens":57',
    streamed: 'data: [DONE]',
  },
  responses: {
    path: '/v1/responses',
    body: (stream: boolean) => ({
      instructions: system,
      input: question,
      temperature: 0.7,
      max_output_tokens: 100,
      store: false,
      ...(stream ? { stream } : {}),
    }),
    whole: '"total_tokens":57',
    streamed: 'event: response.completed',
  },
  messages: {
    path: '/v1/messages',
    body: (stream: boolean) => ({
      system,
      messages: [{ role: 'user', content: question }],
      temperature: 0.7,
      max_tokens: 100,
      ...(stream ? { stream } : {}),
    }),
    whole: '"output_tokens":48',
    streamed: 'event: message_stop',
  },
}

export type Dialect = keyof typeof dialects

/** Sends chat requests as {@link runClosedLoop} does. */
export const runLoad = (load: Load, target: LoadTarget, requests: number): Promise<readonly number[]> =>
  runClosedLoop(httpTarget(load, target), load.connections, requests)

/** Returns the requests of all clients. */
export function httpTarget(
  load: Load,
  { host = '127.0.0.1', port, path = '', clients, model, sign }: LoadTarget,
): HttpTarget {
  const dialect = dialects[load.dialect ?? 'chat']
  const body = JSON.stringify({ model, ...dialect.body(load.stream) })
  const head = `POST ${path}${dialect.path} HTTP/1.1\r\nhost: ${host}:${port}\r\n`
  const rest = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  return {
    host,
    port,
    requests: clients.map((headers) => Buffer.from(`${head}${headers}${rest}`)),
    sign: sign ?? (load.stream ? dialect.streamed : dialect.whole),
  }
}
