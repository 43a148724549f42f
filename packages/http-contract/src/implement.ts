import type { Promisable } from 'type-fest'
import { custom, optional, pipe, strictObject } from 'valibot'
import type { RefusalReason } from './access/refusal.ts'
import { type AnswerFaults, type AnyAnswer, toReply } from './answer-reply.ts'
import { type AnsweredRequest, type CallerIdentity, subjectOf } from './answered-request.ts'
import { CheckedInput, parseQuery } from './checked-input.ts'
import type { Exchange, Reply, ReplyHeaders, RequestHeaders } from './exchange.ts'
import type { Failures } from './failures.ts'
import { faultReport } from './fault-report.ts'
import { isObject } from './is-object.ts'
import type { Call, Contract, Handlers, Operation } from './operation.ts'
import { parseTurn } from './parse-turns.ts'
import { BodyTooLarge, ClientGone, MalformedBody, parseBody, type RequestBody } from './request-body.ts'
import { requestIdOf } from './request-id.ts'
import type { Route } from './route.ts'

/** What a host decides for all operations of a contract. Only `failures` is needed. */
export interface ImplementOptions<Caller> {
  readonly failures: Failures
  /**
   * Runs before anything of the request is read. A `reply` refuses the request; a `caller` reaches the handler.
   * `id` is the operation's in the contract; `requestId` is empty without {@link newRequestId}.
   *
   * @default everyone is admitted, as `undefined`
   */
  readonly admit?: (
    exchange: Exchange,
    operation: Operation,
    id: string,
    requestId: string,
  ) => Promisable<Admission<Caller>>
  /**
   * Makes an id for a request that brings no fit one in its `x-request-id`: 1 to 128 letters, digits and `._:-`.
   * With it every call has its request's id and every reply, failures included, has it as `x-request-id`.
   *
   * @default requests have no ids
   */
  readonly newRequestId?: () => string
  /**
   * Parses the bodies of the operations that take one, before their schemas check them. A `reply` refuses the
   * request; what throws `MalformedBody` is worded by {@link Failures.malformed}.
   *
   * @default `parseBody`
   */
  readonly parseBody?: (body: RequestBody, operation: Operation) => ParsedBody
  /**
   * Hears of every request that was admitted and then refused for what it says: a body that is too large or no JSON, a
   * part that does not fit its schema, or an answer of the handler of an operation with a body that is 400, 404 or 422.
   */
  readonly onRefused?: (caller: Caller) => void
  /**
   * Hears of every request that was refused before it was read, and of every administrative operation that was answered:
   * the source of an audit log and of counters. What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /**
   * Whether an operation is one of those that only the admin has by default. Where that is given, one that takes no
   * query, and is not a GET, refuses any.
   *
   * @default all are
   */
  readonly isAdministrative?: (id: string) => boolean
  /** Headers of every reply of an operation, its failures included; asked for once an operation. */
  readonly headers?: (operation: Operation) => ReplyHeaders
  /**
   * Gets every fault that became an `unexpected` or `interrupted` answer, or broke a stream off. What it throws is
   * ignored. A client that disconnects is not a fault.
   *
   * @default faults are dropped
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

/** A caller for the handler, or the reply that refuses the request. */
export type Admission<Caller> = (AdmittedCaller<Caller> | Refused) & {
  /** Who it was found to be, for {@link ImplementOptions.onAnswered}. */
  readonly identity?: CallerIdentity
}

export interface AdmittedCaller<Caller> {
  readonly caller: Caller
  /** Runs once the body was read and checked, or could not be, before the handler runs. @default nothing */
  readonly onBodyRead?: () => void
}

/** What refuses a request. */
export interface Refused {
  readonly reply: Reply
  /** Present where the caller was not let in; absent where something else is wrong with the request. */
  readonly reason?: RefusalReason
}

/** What a body holds, or the reply that refuses it. */
export type ParsedBody = { readonly value: unknown } | { readonly reply: Reply }

const DEFAULT_BODY_LIMIT = 2 ** 20
/** Of an operation that takes none: clients send `{}`, with white space. */
const EMPTY_BODY_LIMIT = 2 ** 16

/** Statuses of a handler that say that the request is wrong. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 404, 422])

const noBody: RequestBody = { kind: 'none' }

const emptyQuery = strictObject({})

/** What is as good as no body: some clients send `{}` with every request. */
const emptyBody = optional(pipe(custom<object>(isObject, 'the operation takes no body'), strictObject({})))

/** Over HTTP/1.1, where a body without either does not exist. */
const announcesBody = ({ 'content-length': length, 'transfer-encoding': encoding }: RequestHeaders): boolean =>
  encoding !== undefined || (length !== undefined && length !== '0')

/**
 * Joins a contract with its code. A handler that answers an undeclared status, or forgets a declared body,
 * does not compile.
 */
export function implement<const C extends Contract, Caller = undefined>(
  contract: C,
  handlers: NoInfer<Handlers<C, Caller>>,
  options: ImplementOptions<Caller>,
): readonly Route[]
export function implement<Caller>(
  contract: Contract,
  handlers: Readonly<Record<string, AnyHandler<Caller>>>,
  options: ImplementOptions<Caller>,
): readonly Route[] {
  const { failures, slashes = 'exact', newRequestId = () => '' } = options
  const onFault = faultReport(options.onFault)
  const describe = options.options ?? (() => ({ kind: 'empty', status: 204, headers: {} }) as const)
  return Object.entries(contract).map(([id, operation]) => {
    const handler = handlers[id]
    if (!handler) throw new TypeError(`Operation '${id}' has no handler`)
    const decorate = decorateWith(options.headers?.(operation) ?? {})
    const withAllow = (reply: Reply, allow: string) =>
      decorate({ ...reply, headers: { ...reply.headers, allow } }, newRequestId())
    return {
      id,
      operation,
      slashes,
      handle: handleWith(id, operation, handler, { ...options, onFault }, decorate),
      refuseMethod: (method, allow) => withAllow(failures.methodNotAllowed(method, allow), allow),
      describe: (allow) => withAllow(describe(allow), allow),
      fail: (error) => {
        onFault(error, operation)
        return decorate(failures.unexpected(error, operation), newRequestId())
      },
    }
  })
}

type AnyHandler<Caller> = (call: Call<Operation, Caller>) => Promisable<AnyAnswer>

type Decorate = (reply: Reply, requestId: string) => Reply

/** What a reply says of its own goes before what all replies of an operation say. */
function decorateWith(common: ReplyHeaders): Decorate {
  const isPlain = Object.keys(common).length === 0
  return (reply, requestId) => {
    if (requestId !== '' && !('x-request-id' in reply.headers)) {
      return { ...reply, headers: { ...common, 'x-request-id': requestId, ...reply.headers } }
    }
    return isPlain ? reply : { ...reply, headers: { ...common, ...reply.headers } }
  }
}

function handleWith<Caller>(
  id: string,
  operation: Operation,
  handler: AnyHandler<Caller>,
  options: ImplementOptions<Caller> & Required<Pick<ImplementOptions<Caller>, 'onFault'>>,
  decorate: Decorate,
): Route['handle'] {
  const { failures, admit, newRequestId, parseBody: parse, onRefused, onFault, isAdministrative } = options
  const refusesQueries = !operation.query && operation.method !== 'GET' && isAdministrative?.(id) === true
  const checked = refusesQueries ? { ...operation, query: emptyQuery } : operation
  const takesBody = operation.body !== undefined
  // Almost no GET has a body: only those that announce one wait for it.
  const isRead = takesBody || operation.method !== 'GET' ? () => true : announcesBody
  const bodyLimit = takesBody ? (operation.bodyLimit ?? DEFAULT_BODY_LIMIT) : EMPTY_BODY_LIMIT
  const reportFault = (error: unknown, { signal }: Exchange) => {
    if (!(signal.aborted && isAbort(error, signal))) onFault(error, operation)
  }
  const faults: AnswerFaults = {
    broken: reportFault,
    interrupted: (error, exchange) => {
      reportFault(error, exchange)
      return failures.interrupted(error, operation)
    },
  }
  const failed = (error: unknown, exchange: Exchange): Reply => {
    if (error instanceof MalformedBody) return failures.malformed(error.message, operation)
    if (error instanceof BodyTooLarge) return failures.tooLarge(error.limit, operation)
    reportFault(error, exchange)
    return failures.unexpected(error, operation)
  }
  /** The request as its handler takes it, or the reply to one that says something wrong. */
  const readCall = async (
    exchange: Exchange,
    requestId: string,
    admission: AdmittedCaller<Caller> | undefined,
  ): Promise<CheckedCall<Caller> | { readonly reply: Reply }> => {
    let endTurn: (() => void) | undefined
    try {
      const body = isRead(exchange.headers) ? await exchange.body(bodyLimit) : noBody
      const turn = body.kind === 'bytes' ? parseTurn(body.bytes.length) : undefined
      if (turn) endTurn = await turn
      const parsed = takesBody ? parse?.(body, operation) : undefined
      if (parsed && 'reply' in parsed) return parsed
      // Without `admit` the caller is undefined, as its type says then.
      const call = new CheckedCall(checked, exchange, requestId, admission?.caller as Caller, body, parsed)
      return call.issue ? { reply: failures.invalid(call.issue, operation) } : call
    } finally {
      endTurn?.()
      admission?.onBodyRead?.()
    }
  }
  const answer = async (exchange: Exchange, progress: Progress<Caller>): Promise<Reply> => {
    let requestId = ''
    const refused = () => {
      const { admission } = progress
      if (admission && 'caller' in admission) onRefused?.(admission.caller)
    }
    try {
      if (newRequestId) {
        requestId = requestIdOf(exchange.headers, newRequestId)
        progress.requestId = requestId
      }
      const admitted = admit?.(exchange, operation, id, requestId)
      const admission = admitted && 'then' in admitted ? await admitted : admitted
      progress.admission = admission
      if (admission && 'reply' in admission) return decorate(admission.reply, requestId)
      const call = await readCall(exchange, requestId, admission)
      if ('reply' in call) {
        refused()
        return decorate(call.reply, requestId)
      }
      const given = await handler(call)
      if (takesBody && refusalStatuses.has(given.status)) refused()
      const reply = toReply(operation, given, exchange, faults)
      return decorate(reply instanceof Promise ? await reply : reply, requestId)
    } catch (error) {
      if (error instanceof MalformedBody || error instanceof BodyTooLarge) refused()
      return decorate(failed(error, exchange), requestId)
    }
  }
  const report = reportWith(id, operation, options)
  return async (exchange) => {
    const progress: Progress<Caller> = { requestId: '', admission: undefined }
    const reply = await answer(exchange, progress)
    report?.(exchange, progress, reply)
    return reply
  }
}

/** What is known of a request so far. */
interface Progress<Caller> {
  requestId: string
  admission: Admission<Caller> | undefined
}

function reportWith<Caller>(
  id: string,
  operation: Operation,
  {
    onAnswered,
    isAdministrative = () => true,
    onFault,
  }: Pick<ImplementOptions<Caller>, 'onAnswered' | 'isAdministrative' | 'onFault'>,
) {
  if (!onAnswered) return undefined
  const { method, path } = operation
  const administrative = isAdministrative(id)
  return (exchange: Exchange, { requestId, admission }: Progress<Caller>, reply: Reply): void => {
    const refusal = admission && 'reply' in admission ? admission.reason : undefined
    if (refusal === undefined && !administrative) return
    const { remoteAddress } = exchange
    const subject = refusal === undefined ? subjectOf(method, exchange, reply) : {}
    const caller = admission?.identity
    const { status } = reply
    try {
      onAnswered({
        operation: id,
        method,
        path,
        administrative,
        caller,
        remoteAddress,
        requestId,
        status,
        refusal,
        subject,
      })
    } catch (error) {
      onFault?.(error, operation)
    }
  }
}

const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason || error instanceof ClientGone || (error instanceof Error && error.name === 'AbortError')

class CheckedCall<Caller> extends CheckedInput implements Call<Operation, Caller> {
  readonly operation: Operation
  readonly requestId: string
  readonly caller: Caller
  readonly params: undefined
  readonly query: undefined
  readonly headers: undefined
  readonly body: undefined
  readonly rawBody: Uint8Array | undefined
  readonly #exchange: Exchange

  constructor(
    operation: Operation,
    exchange: Exchange,
    requestId: string,
    caller: Caller,
    body: RequestBody,
    parsed: { readonly value: unknown } | undefined,
  ) {
    super()
    this.operation = operation
    this.#exchange = exchange
    this.requestId = requestId
    this.caller = caller
    this.rawBody = body.kind === 'bytes' ? body.bytes : undefined
    // The handler's type says what the schemas made of the parts; here they are any operation's.
    this.params = (operation.params && this.check('params', operation.params, exchange.params)) as undefined
    this.query = (operation.query && this.check('query', operation.query, parseQuery(exchange.query))) as undefined
    this.headers = (operation.headers && this.check('headers', operation.headers, exchange.headers)) as undefined
    this.body = this.check(
      'body',
      operation.body ?? emptyBody,
      parsed ? parsed.value : parseBody(body, operation.bodyValues),
    ) as undefined
  }

  get rawQuery(): string {
    return this.#exchange.query
  }

  get rawHeaders(): RequestHeaders {
    return this.#exchange.headers
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }
}
