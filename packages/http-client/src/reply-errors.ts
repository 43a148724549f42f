import type { AnyReply } from './reply-types.ts'

/**
 * A declared failure where a success was expected. The message is the server's own: `message` or `error.message` of its
 * body, if it has one.
 */
export class RefusalError<Body = unknown> extends Error {
  override readonly name = 'RefusalError'
  readonly status: number
  readonly headers: Headers
  /** The body as the operation declares it. */
  readonly body: Body

  constructor({ status, headers, body }: { readonly status: number; readonly headers: Headers; readonly body: Body }) {
    super(messageOf(body) ?? `The server answered ${status}`)
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** A reply that the operation does not declare, as from another server, a proxy or another version. */
export class UnexpectedReplyError extends Error {
  override readonly name = 'UnexpectedReplyError'
  readonly status: number
  /** The body of the reply. */
  readonly text: string

  constructor(request: string, status: number, text: string, cause?: unknown) {
    super(messageOf(asJson(text)) ?? `${request} was answered with ${status}, which the operation does not declare`, {
      cause,
    })
    this.status = status
    this.text = text
  }
}

/** Finds the message of an error body: its `message`, or that of its `error`. */
export function messageOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  if ('message' in body && typeof body.message === 'string') return body.message
  return 'error' in body ? messageOf(body.error) : undefined
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type BodyOfOk<Reply extends AnyReply> = Extract<Reply, { readonly ok: true }>['body']

/** Resolves with the body of a success. Rejects with `RefusalError` for any other reply. */
export async function expectOk<Reply extends AnyReply>(reply: Reply | Promise<Reply>): Promise<BodyOfOk<Reply>> {
  const settled = await reply
  if (isOk(settled)) return settled.body
  throw new RefusalError(settled)
}

type JsonOfOk<Reply extends AnyReply> = Extract<Reply, { readonly ok: true; readonly kind: 'json' }>['body']

/**
 * Resolves with the JSON of a success, where the operation also answers with events, lines or bytes. Rejects with
 * `RefusalError` for any other reply.
 */
export async function expectJson<Reply extends AnyReply>(reply: Reply | Promise<Reply>): Promise<JsonOfOk<Reply>> {
  const settled = await reply
  if (isJsonOfOk(settled)) return settled.body
  throw new RefusalError(settled)
}

const isJsonOfOk = <Reply extends AnyReply>(
  reply: Reply,
): reply is Extract<Reply, { readonly ok: true; readonly kind: 'json' }> =>
  reply.ok && 'kind' in reply && reply.kind === 'json'

const isOk = <Reply extends AnyReply>(reply: Reply): reply is Extract<Reply, { readonly ok: true }> => reply.ok
