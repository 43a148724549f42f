import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Duplex } from 'node:stream'
import { Refusal } from '@trivium/emulation-core/ports'

/** The HTTP interface of Podman or Docker at a Unix socket. Every method rejects with a `Refusal`. */
export interface EngineApi {
  /** Sends a request, and reads the whole answer. A status of 400 or more is a result. */
  send(method: string, path: string, options?: SendOptions): Promise<EngineAnswer>
  /** Sends a request that turns its connection into a stream in both directions. */
  hijack(path: string, body: unknown): Promise<Duplex>
}

export interface SendOptions {
  /** Sent as JSON, unless it is bytes, which are a tar archive. */
  readonly body?: unknown
  /** Milliseconds without any byte, 0 for no limit. @default 60,000 */
  readonly timeoutMs?: number
  /** Ends the request. */
  readonly signal?: AbortSignal
}

export interface EngineAnswer {
  readonly status: number
  readonly bytes: Buffer
}

const TIMEOUT_MS = 60_000
/** The most bytes of an answer. */
const LIMIT_BYTES = 4 * 1024 * 1024

export function createEngineApi(socketPath: string): EngineApi {
  const open = (method: string, path: string, { body, timeoutMs = TIMEOUT_MS, signal }: SendOptions, more = {}) => {
    const content = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
    const sent = request({
      socketPath,
      method,
      path,
      agent: false,
      timeout: timeoutMs,
      headers: {
        host: 'localhost',
        ...(content !== undefined && {
          'content-type': body instanceof Uint8Array ? 'application/x-tar' : 'application/json',
          'content-length': content.length,
        }),
        ...more,
      },
      ...(signal && { signal }),
    })
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${timeoutMs / 1000} seconds`)))
    sent.end(content)
    return sent
  }

  const unreachable = (cause: Error): Refusal => {
    const denied = 'code' in cause && cause.code === 'EACCES'
    const reason = denied ? 'the server is not allowed to open it' : cause.message.slice(0, 200)
    const type = denied ? 'not-privileged' : 'unavailable'
    return new Refusal(type, `The container engine does not answer at ${socketPath}: ${reason}.`, { cause })
  }

  const answerOf = (sent: ClientRequest): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      sent.once('response', resolve)
      sent.on('error', reject)
    })

  return {
    send: async (method, path, options = {}) => {
      try {
        const answer = await answerOf(open(method, path, options))
        const parts: Buffer[] = []
        let size = 0
        for await (const part of answer) {
          size += part.length
          if (size > LIMIT_BYTES) throw new Error(`an answer of more than ${LIMIT_BYTES} bytes`)
          parts.push(part)
        }
        return { status: answer.statusCode ?? 0, bytes: Buffer.concat(parts) }
      } catch (cause) {
        throw unreachable(cause instanceof Error ? cause : new Error(String(cause)))
      }
    },
    hijack: (path, body) =>
      new Promise((resolve, reject) => {
        const sent = open('POST', path, { body }, { connection: 'Upgrade', upgrade: 'tcp' })
        sent.once('upgrade', (_answer, socket, head) => {
          socket.setTimeout(0)
          if (head.length > 0) socket.unshift(head)
          resolve(socket)
        })
        sent.once('response', (answer) => {
          answer.resume()
          reject(new Refusal('failed', `The container engine opens no stream: its answer is ${answer.statusCode}.`))
        })
        sent.on('error', (cause) => reject(unreachable(cause)))
      }),
  }
}
