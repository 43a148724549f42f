import { request } from 'node:http'
import type { ServerProcess } from '../server-process.ts'

export interface SentRequest {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly localAddress?: string
}

export interface ReceivedAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a request over a connection of its own. The workers of a server get connections in turn. */
export function sendAlone(
  { url }: ServerProcess,
  { method = 'GET', path, headers = {}, body, localAddress }: SentRequest,
): Promise<ReceivedAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, {
      method,
      agent: false,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(localAddress !== undefined && { localAddress }),
    })
    sent.once('error', reject)
    sent.once('response', async (response) => {
      try {
        let text = ''
        for await (const piece of response.setEncoding('utf8')) text += piece
        resolve({ status: response.statusCode ?? 0, text })
      } catch (error) {
        reject(error)
      }
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Sends a request over several connections, one after the other, so that each worker gets some. */
export async function sendToEach(server: ServerProcess, sent: SentRequest): Promise<readonly ReceivedAnswer[]> {
  const answers: ReceivedAnswer[] = []
  for (let index = 0; index < CONNECTIONS; index += 1) answers.push(await sendAlone(server, sent))
  return answers
}

const CONNECTIONS = 6
