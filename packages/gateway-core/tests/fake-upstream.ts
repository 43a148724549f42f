import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface UpstreamExchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
}

/** A real HTTP server in the place of OpenAI's, whose answers the test writes. */
export async function fakeUpstream(answer: (exchange: UpstreamExchange) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    answer({ request, response, body })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
