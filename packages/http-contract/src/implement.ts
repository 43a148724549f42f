import type { Promisable } from 'type-fest'
import { type AnswerFaults, type AnyAnswer, toReply } from './answer-reply.ts'
import { CheckedInput, parseQuery } from './checked-input.ts'
import type { Exchange, Reply, ReplyHeaders } from './exchange.ts'
import type { Failures } from './failures.ts'
import type { Call, Contract, Handlers, Operation } from './operation.ts'
import { BodyTooLarge, ClientGone, MalformedBody, parseBody, type RequestBody } from './request-body.ts'
import type { Route } from './route.ts'

export interface ImplementOptions<Context> {
  readonly failures: Failures
  /**
   * Runs before anything of the request is read. A `reply` refuses the request; a `context` reaches the handler.
   *
   * @default everyone is admitted, with no context
   */
  readonly admit?: (exchange: Exchange, operation: Operation) => Promisable<Admission<Context>>
  /** Headers of every reply of an operation, its failures included; asked for once an operation. */
  readonly headers?: (operation: Operation) => ReplyHeaders
  /**
   * Told of every fault that became an `unexpected` or `interrupted` answer, or broke a stream off.
   * A client that went away is none.
   */
  readonly onFault?: (error: unknown, operation: Operation) => void
  /**
   * What OPTIONS is told; the reply gets its `allow` header by itself.
   *
   * @default 204
   */
  readonly options?: (allow: string) => Reply
  /** @default 'exact' */
  readonly slashes?: Route['slashes']
}

export type Admission<Context> = { readonly context: Context } | { readonly reply: Reply }

const DEFAULT_BODY_LIMIT = 2 ** 20

/**
 * Joins a contract with its code. A handler that answers an undeclared status, or forgets a declared body,
 * does not compile.
 */
export function implement<const C extends Contract, Context = undefined>(
  contract: C,
  handlers: NoInfer<Handlers<C, Context>>,
  options: ImplementOptions<Context>,
): readonly Route[]
export function implement<Context>(
  contract: Contract,
  handlers: Readonly<Record<string, AnyHandler<Context>>>,
  options: ImplementOptions<Context>,
): readonly Route[] {
  const { failures, slashes = 'exact', onFault } = options
  const describe = options.options ?? (() => ({ kind: 'empty', status: 204, headers: {} }) as const)
  return Object.entries(contract).map(([id, operation]) => {
    const handler = handlers[id]
    if (!handler) throw new TypeError(`Operation '${id}' has no handler`)
    const common = options.headers?.(operation) ?? {}
    const decorate = decorateWith(common)
    const withAllow = (reply: Reply, allow: string) => ({ ...reply, headers: { ...common, ...reply.headers, allow } })
    return {
      id,
      operation,
      slashes,
      handle: handleWith(operation, handler, options, decorate),
      refuseMethod: (method, allow) => withAllow(failures.methodNotAllowed(method, allow), allow),
      describe: (allow) => withAllow(describe(allow), allow),
      fail: (error) => {
        onFault?.(error, operation)
        return decorate(failures.unexpected(error, operation))
      },
    }
  })
}

type AnyHandler<Context> = (call: Call<Operation, Context>) => Promisable<AnyAnswer>

function decorateWith(common: ReplyHeaders): (reply: Reply) => Reply {
  if (Object.keys(common).length === 0) return (reply) => reply
  return (reply) => ({ ...reply, headers: { ...common, ...reply.headers } })
}

function handleWith<Context>(
  operation: Operation,
  handler: AnyHandler<Context>,
  { failures, admit, onFault }: ImplementOptions<Context>,
  decorate: (reply: Reply) => Reply,
): Route['handle'] {
  const bodyLimit = operation.bodyLimit ?? DEFAULT_BODY_LIMIT
  const report = (error: unknown, { signal }: Exchange) => {
    if (onFault && !(signal.aborted && isAbort(error, signal))) onFault(error, operation)
  }
  const faults: AnswerFaults = {
    broken: report,
    interrupted: (error, exchange) => {
      report(error, exchange)
      return failures.interrupted(error, operation)
    },
  }
  const failed = (error: unknown, exchange: Exchange): Reply => {
    if (error instanceof MalformedBody) return failures.malformed(error.message, operation)
    if (error instanceof BodyTooLarge) return failures.tooLarge(error.limit, operation)
    report(error, exchange)
    return failures.unexpected(error, operation)
  }
  return async (exchange) => {
    try {
      const admitted = admit?.(exchange, operation)
      const admission = admitted && 'then' in admitted ? await admitted : admitted
      if (admission && 'reply' in admission) return decorate(admission.reply)
      const body = operation.body ? await exchange.body(bodyLimit) : undefined
      // Without `admit` the context is undefined, as its type says then.
      const call = new CheckedCall(operation, exchange, body, admission?.context as Context)
      if (call.issues) return decorate(failures.invalid(call.issues, operation))
      const reply = toReply(operation, await handler(call), exchange, faults)
      return decorate(reply instanceof Promise ? await reply : reply)
    } catch (error) {
      return decorate(failed(error, exchange))
    }
  }
}

const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || error instanceof ClientGone || (error instanceof Error && error.name === 'AbortError')

class CheckedCall<Context> extends CheckedInput implements Call<Operation, Context> {
  readonly operation: Operation
  readonly params: undefined
  readonly query: undefined
  readonly headers: undefined
  readonly body: undefined
  readonly context: Context
  readonly rawBody: Uint8Array | undefined
  readonly #exchange: Exchange

  constructor(operation: Operation, exchange: Exchange, body: RequestBody | undefined, context: Context) {
    super()
    this.operation = operation
    this.#exchange = exchange
    this.context = context
    this.rawBody = body?.kind === 'bytes' ? body.bytes : undefined
    // The handler's type says what the schemas made of the parts; here they are any operation's.
    this.params = (operation.params && this.check('params', operation.params, exchange.params)) as undefined
    this.query = (operation.query && this.check('query', operation.query, parseQuery(exchange.query))) as undefined
    this.headers = (operation.headers && this.check('headers', operation.headers, exchange.headers)) as undefined
    this.body = (body && this.check('body', operation.body, parseBody(body))) as undefined
  }

  get rawQuery(): string {
    return this.#exchange.query
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }
}
