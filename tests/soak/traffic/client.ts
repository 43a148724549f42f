import { Agent, request } from 'undici'
import { ADMIN_PASSWORD } from '../server/measured-server.ts'

export interface Call {
  readonly body?: unknown
  /** The `authorization` header. @default the admin's */
  readonly authorization?: string
  /** The expected statuses. @default 200 to 299 */
  readonly statuses?: readonly number[]
}

/** A client of one server that can close its idle connections. */
export interface Client {
  readonly url: string
  readonly admin: string
  /** @throws Error where the status is not one of the expected ones */
  call(method: string, path: string, call?: Call): Promise<Record<string, unknown>>
  /** Resolves when the first piece of the answer is received, with a function that closes the connection. */
  begin(method: string, path: string, call?: Call): Promise<() => Promise<void>>
  /** Reads so many pieces of the answer, and closes the connection. */
  readPart(method: string, path: string, pieces: number, call?: Call): Promise<void>
  /** Ends the connections that wait for more requests. */
  closeIdle(): Promise<void>
}

export function soakClient(url: string): Client {
  let agent = new Agent({ connections: 64 })
  const admin = `Basic ${btoa(`admin:${ADMIN_PASSWORD}`)}`

  async function send(method: string, path: string, { body, authorization = admin, statuses }: Call = {}) {
    const answer = await request(`${url}${path}`, {
      method,
      dispatcher: agent,
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const { statusCode } = answer
    if (statuses ? statuses.includes(statusCode) : statusCode < 300) return answer
    throw new Error(`${method} ${path}: ${statusCode} ${await answer.body.text()}`)
  }

  return {
    url,
    admin,
    async call(method, path, call) {
      const answer = await send(method, path, call)
      const text = await answer.body.text()
      const isJson = /^application\/(?:[\w.-]+\+)?json/.test(String(answer.headers['content-type']))
      return isJson && text !== '' ? asRecord(JSON.parse(text)) : { text }
    },
    async begin(method, path, call) {
      const pieces = (await send(method, path, call)).body[Symbol.asyncIterator]()
      await pieces.next()
      return async () => void (await pieces.return?.())
    },
    async readPart(method, path, pieces, call) {
      const { body } = await send(method, path, call)
      let read = 0
      for await (const _ of body) {
        read += 1
        // The end of the loop closes the connection.
        if (read >= pieces) break
      }
    },
    async closeIdle() {
      const before = agent
      agent = new Agent({ connections: 64 })
      await before.close()
    },
  }
}

export function asRecord(value: unknown): Record<string, unknown> {
  if (Array.isArray(value)) return { items: value }
  if (typeof value !== 'object' || value === null) throw new Error(`not an object: ${JSON.stringify(value)}`)
  return { ...value }
}
