import type { Promisable } from 'type-fest'
import { custom, optional, pipe, strictObject } from 'valibot'
import type { RefusalReason } from './access/refusal.ts'
import { type AnswerFaults, type AnyAnswer, toReply } from './answer-reply.ts'
import { type AnsweredRequest, type CallerIdentity, subjectOf } from './answered-request.ts'
import { CheckedInput, parseQuery } from './checked-input.ts'
import type { Exchange, Mount, Reply, ReplyHeaders, RequestHeaders } from './exchange.ts'
import type { Failures } from './failures.ts'
import { faultReport } from './fault-report.ts'
import { isObject } from './is-object.ts'
import { mountHeaders } from './mount-headers.ts'
import type { Call, Contract, Handlers, Operation } from './operation.ts'
import { parseTurn } from './parse-turns.ts'
import { PublicExchange } from './public-exchange.ts'
import { publicMount } from './public-mount.ts'
import {
  BodyTooLarge,
  BodyUnavailable,
  ClientDisconnected,
  consumedBody,
  ExcessiveBody,
  isCheckedApart,
  isLargeBody,
  MalformedBody,
  parseBody,
  parseInTurns,
  type RequestBody,
} from './request-body.ts'
import { requestIdOf } from './request-id.ts'
import type { Route } from './route.ts'
import { nextTurn } from './turns.ts'
import { inOneChunk, OpenUpload, type Upload } from './upload.ts'

/** Options for all operations of a contract. Only `failures` is required. */
export interface ImplementOptions<Caller, Host = unknown> {
  /** The replies to requests that no handler answers. */
  readonly failures: Failures
  /**
   * Runs before any part of the request is read, and again after a body that took longer than 100 ms. A `reply` refuses
   * the request; a `caller` is passed to the handler.
   * `id` is the operation's id in the contract; `requestId` is empty without {@link newRequestId}.
   *
   * @default everyone is admitted, as `undefined`
   */
  readonly admit?: (
    exchange: Exchange<Host>,
    operation: Operation,
    id: string,
    requestId: string,
  ) => Promisable<Admission<Caller>>
  /**
   * Creates an id for a request without a valid `x-request-id` (1 to 128 letters, digits and `._:-`). With it, every
   * call has the id of its request, and every reply, failures included, has it as `x-request-id`.
   *
   * @default requests have no ids
   */
  readonly newRequestId?: () => string
  /**
   * Parses the bodies of operations that take one, before their schemas check them. A `reply` refuses the request; a
   * thrown `MalformedBody` is answered by {@link Failures.malformed}.
   *
   * @default `parseBody`
   */
  readonly parseBody?: (body: RequestBody, operation: Operation) => ParsedBody
  /**
   * Receives the caller of every request that was admitted and then refused as invalid: its body is too large or not
   * JSON, a part does not match its schema, or the operation takes a body and its handler answers 400, 404 or 422.
   * What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onRefused?: (caller: Caller) => void
  /**
   * Receives every request that was not admitted, and every answered administrative operation, for an audit log or
   * counters. What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /**
   * Whether only the admin may call an operation by default. If this is given, administrative operations other than GET
   * that declare no query refuse every query parameter.
   *
   * @default all are
   */
  readonly isAdministrative?: (id: string) => boolean
  /**
   * Headers of every reply of an operation, failures included. `mountPath` is the path of {@link Exchange.mount}. Called
   * only where it differs from that of the operation's last request.
   *
   * @default none
   */
  readonly headers?: (operation: Operation, mountPath: string) => ReplyHeaders
  /**
   * The `http` or `https` URL at which clients reach the routes, without credentials, a query and a fragment. It
   * replaces {@link Exchange.mount}.
   *
   * @default the address that the host reports for each request
   */
  readonly publicUrl?: string
  /**
   * Receives every fault that caused an `unexpected` or `interrupted` reply, or cut off a stream, and what the other
   * listeners throw. `id` is the operation's id in the contract. What it throws is ignored. A client that disconnects is
   * not a fault.
   *
   * @default console.error, with the operation: of equal faults of an operation one in 10 seconds, with the number of
   *   those left out
   */
  readonly onFault?: (error: unknown, operation: Operation, id: string) => void
  /**
   * Answers OPTIONS. The reply gets its `allow` header without this function.
   *
   * @default 204
   */
  readonly options?: (allow: string) => Reply
  /**
   * How paths match. With `lenient`, doubled slashes count as one, and a trailing slash is ignored. Routes of one path
   * must have the same rule.
   *
   * @default 'exact'
   */
  readonly slashes?: Route['slashes']
}

/** A caller for the handler, or the reply that refuses the request. */
export type Admission<Caller> = (AdmittedCaller<Caller> | Refused) & {
  /** The identity of the caller, for {@link ImplementOptions.onAnswered}. */
  readonly identity?: CallerIdentity
}

/** An admitted request. */
export interface AdmittedCaller<Caller> {
  /** Passed to the handler, and to {@link ImplementOptions.onRefused}. */
  readonly caller: Caller
  /** Runs once the body was read and checked, or this failed, before the handler runs. @default nothing */
  readonly onBodyRead?: () => void
}

/** A refusal of a request. */
export interface Refused {
  readonly reply: Reply
  /** Present where the caller is not admitted; absent where the request is wrong in another way. */
  readonly reason?: RefusalReason
}

/** The value of a body, or the reply that refuses it. */
export type ParsedBody = { readonly value: unknown } | { readonly reply: Reply }

const DEFAULT_BODY_LIMIT = 2 ** 20
/** For an operation that takes no body: clients send `{}`, with white space. */
const EMPTY_BODY_LIMIT = 2 ** 16

/** Statuses of a handler that count as an invalid request. */
const refusalStatuses: ReadonlySet<number> = new Set([400, 404, 422])

/** A caller is admitted again after a body that took longer: it may have lost the right while it sent the body. */
const RECHECK_MS = 100

const noBody: RequestBody = { kind: 'none' }

const emptyQuery = strictObject({})

/** Counts as no body: some clients send `{}` with every request. */
const emptyBody = optional(pipe(custom<object>(isObject, 'the operation takes no body'), strictObject({})))

/** Over HTTP/1.1 a request with neither header has no body. */
const announcesBody = ({ 'content-length': length, 'transfer-encoding': encoding }: RequestHeaders): boolean =>
  encoding !== undefined || (length !== undefined && length !== '0')

/**
 * Binds handlers to a contract, and returns the routes to mount, in the order of the contract. Requests are checked
 * when they arrive, answers only by the compiler: a handler that answers an undeclared status, or omits a declared
 * body, does not compile.
 *
 * @throws TypeError if an operation has no handler, or `publicUrl` is not valid
 *
 * @example
 * ```ts
 * import { defineContract, type Failures, implement, type Reply } from '@trivium/http-contract'
 * import * as v from 'valibot'
 *
 * const contract = defineContract({
 *   getTime: { method: 'GET', path: '/time', responses: { 200: v.object({ now: v.string() }) } },
 * })
 * const fail = (status: number, message: string): Reply => ({ kind: 'json', status, headers: {}, value: { message } })
 * const failures: Failures = {
 *   malformed: (detail) => fail(400, detail),
 *   invalid: ({ part }) => fail(400, `The ${part} does not match its schema.`),
 *   tooLarge: (limit) => fail(413, `The body has more than ${limit} bytes.`),
 *   methodNotAllowed: (method) => fail(405, `${method} is not allowed.`),
 *   unexpected: () => fail(500, 'The request failed.'),
 *   interrupted: () => ({ message: 'The stream failed.' }),
 * }
 * const getTime = () => ({ status: 200, body: { now: new Date().toISOString() } }) as const
 * export const routes = implement(contract, { getTime }, { failures })
 * ```
 */
export function implement<const C extends Contract, Caller = undefined, Host = unknown>(
  contract: C,
  handlers: NoInfer<Handlers<C, Caller>>,
  options: ImplementOptions<Caller, Host>,
): readonly Route<Host>[]
export function implement<Caller, Host>(
  contract: Contract,
  handlers: Readonly<Record<string, AnyHandler<Caller>>>,
  options: ImplementOptions<Caller, Host>,
): readonly Route<Host>[] {
  const { failures, slashes = 'exact', newRequestId = () => '' } = options
  const onFault = faultReport(options.onFault)
  const fixed = options.publicUrl === undefined ? undefined : publicMount(options.publicUrl)
  const describe = options.options ?? (() => ({ kind: 'empty', status: 204, headers: {} }) as const)
  return Object.entries(contract).map(([id, operation]) => {
    const handler = handlers[id]
    if (!handler) throw new TypeError(`Operation '${id}' has no handler`)
    const decorate = decorateWith(mountHeaders(operation, options.headers))
    const withAllow = (reply: Reply, allow: string, mount: Mount) =>
      decorate({ ...reply, headers: { ...reply.headers, allow } }, newRequestId(), { mount: fixed ?? mount })
    const handle = handleWith(id, operation, handler, { ...options, onFault }, decorate)
    return {
      id,
      operation,
      slashes,
      handle: fixed ? (exchange) => handle(new PublicExchange(exchange, fixed)) : handle,
      refuseMethod: (method, allow, mount) => withAllow(failures.methodNotAllowed(method, allow), allow, mount),
      describe: (allow, mount) => withAllow(describe(allow), allow, mount),
      fail: (error, mount) => {
        onFault(error, operation, id)
        return decorate(failures.unexpected(error, operation), newRequestId(), { mount: fixed ?? mount })
      },
    }
  })
}

type AnyHandler<Caller> = (call: Call<Operation, Caller>) => Promisable<AnyAnswer>

type Decorate = (reply: Reply, requestId: string, exchange: Pick<Exchange, 'mount'>) => Reply

/** The reply's own headers override those of all replies of the operation. */
function decorateWith(headersAt: ReturnType<typeof mountHeaders>): Decorate {
  return (reply, requestId, exchange) => {
    const common = headersAt?.(exchange)
    if (requestId !== '' && !('x-request-id' in reply.headers)) {
      return { ...reply, headers: { ...common, 'x-request-id': requestId, ...reply.headers } }
    }
    return common ? { ...reply, headers: { ...common, ...reply.headers } } : reply
  }
}

function handleWith<Caller, Host>(
  id: string,
  operation: Operation,
  handler: AnyHandler<Caller>,
  options: ImplementOptions<Caller, Host> & Required<Pick<ImplementOptions<Caller, Host>, 'onFault'>>,
  decorate: Decorate,
): Route<Host>['handle'] {
  const { failures, admit, newRequestId, parseBody: parse, onRefused, onFault, isAdministrative } = options
  const refusesQueries = !operation.query && operation.method !== 'GET' && isAdministrative?.(id) === true
  const checked = refusesQueries ? { ...operation, query: emptyQuery } : operation
  const isUpload = operation.upload !== undefined
  const takesBody = operation.body !== undefined || isUpload
  // Almost no GET has a body, so only those that announce one are read.
  const isRead = takesBody || operation.method !== 'GET' ? () => true : announcesBody
  const bodyLimit = takesBody ? (operation.bodyLimit ?? DEFAULT_BODY_LIMIT) : EMPTY_BODY_LIMIT
  const reportFault = (error: unknown, { signal }: Exchange) => {
    if (!(signal.aborted && isAbort(error, signal))) onFault(error, operation, id)
  }
  const faults: AnswerFaults = {
    broken: reportFault,
    interrupted: (error, exchange) => {
      reportFault(error, exchange)
      return failures.interrupted(error, operation)
    },
  }
  const failed = (error: unknown, exchange: Exchange): Reply => {
    if (error instanceof ExcessiveBody) return (failures.excessive ?? failures.malformed)(error.message, operation)
    if (error instanceof MalformedBody) return failures.malformed(error.message, operation)
    if (error instanceof BodyTooLarge) return failures.tooLarge(error.limit, operation)
    if (error instanceof BodyUnavailable) {
      reportFault(error, exchange)
      return failures.malformed(error.detail, operation)
    }
    reportFault(error, exchange)
    return failures.unexpected(error, operation)
  }
  /** Reads and checks a request, and returns the call for its handler, or the reply to an invalid one. */
  const readCall = async (
    exchange: Exchange<Host>,
    progress: Progress<Caller>,
    admission: AdmittedCaller<Caller> | undefined,
  ): Promise<CheckedCall<Caller> | { readonly reply: Reply }> => {
    const { requestId } = progress
    let admitted = admission
    let endTurn: (() => void) | undefined
    try {
      if (isUpload) {
        progress.upload = new OpenUpload(exchange.headers, await chunksOf(exchange, bodyLimit))
        const call = new CheckedCall(checked, exchange, requestId, admitted?.caller as Caller, noBody, progress.upload)
        return call.issue ? { reply: failures.invalid(call.issue, operation) } : call
      }
      const startedAt = performance.now()
      const body = isRead(exchange.headers) ? await exchange.body(bodyLimit) : noBody
      if (admit && performance.now() - startedAt > RECHECK_MS) {
        // What limits bodies that are sent at the same time would count this one twice.
        admitted?.onBodyRead?.()
        const again = await admit(exchange, operation, id, requestId)
        progress.admission = again
        if ('reply' in again) return again
        admitted = again
      }
      const turn = body.kind === 'bytes' ? parseTurn(body.bytes.length) : undefined
      if (turn) endTurn = await turn
      let parsed = takesBody ? parse?.(body, operation) : undefined
      if (parsed && 'reply' in parsed) return parsed
      const isLarge = takesBody && isLargeBody(body)
      if (isLarge) parsed ??= { value: await parseInTurns(body, operation.bodyValues) }
      // Without `admit` the caller is undefined, and so is its type.
      const call = new CheckedCall(checked, exchange, requestId, admitted?.caller as Caller, body, undefined, parsed)
      if (takesBody && isCheckedApart(body)) await nextTurn()
      return call.issue ? { reply: failures.invalid(call.issue, operation) } : call
    } finally {
      endTurn?.()
      if (!isUpload) admitted?.onBodyRead?.()
    }
  }
  const answer = async (exchange: Exchange<Host>, progress: Progress<Caller>): Promise<Reply> => {
    let requestId = ''
    const refused = () => {
      const { admission } = progress
      if (!onRefused || !admission || !('caller' in admission)) return
      try {
        onRefused(admission.caller)
      } catch (error) {
        onFault(error, operation, id)
      }
    }
    try {
      if (newRequestId) {
        requestId = requestIdOf(exchange.headers, newRequestId)
        progress.requestId = requestId
      }
      const admitted = admit?.(exchange, operation, id, requestId)
      const admission = admitted && 'then' in admitted ? await admitted : admitted
      progress.admission = admission
      if (admission && 'reply' in admission) return decorate(admission.reply, requestId, exchange)
      const call = await readCall(exchange, progress, admission)
      if ('reply' in call) {
        refused()
        return decorate(call.reply, requestId, exchange)
      }
      const given = await handler(call)
      if (takesBody && refusalStatuses.has(given.status)) refused()
      const reply = toReply(operation, given, exchange, faults)
      return decorate(reply instanceof Promise ? await reply : reply, requestId, exchange)
    } catch (error) {
      if (error instanceof MalformedBody || error instanceof BodyTooLarge) refused()
      return decorate(failed(error, exchange), requestId, exchange)
    }
  }
  const report = reportWith(id, operation, options)
  return async (exchange) => {
    const progress: Progress<Caller> = { requestId: '', admission: undefined, upload: undefined }
    const reply = await answer(exchange, progress)
    if (isUpload) endUpload(progress, reply)
    report?.(exchange, progress, reply)
    return reply
  }
}

/** The state of a request so far. */
interface Progress<Caller> {
  requestId: string
  admission: Admission<Caller> | undefined
  upload: OpenUpload | undefined
}

/** The body as chunks. A transport without them collects it first. */
async function chunksOf(exchange: Exchange, limit: number): Promise<AsyncIterable<Uint8Array>> {
  if (exchange.chunks) return exchange.chunks(limit)
  const body = await exchange.body(limit)
  if (body.kind === 'parsed') throw new BodyUnavailable(consumedBody('Mount the routes before what parses it.'))
  return inOneChunk(body.kind === 'bytes' ? body.bytes : new Uint8Array())
}

/** An answer that streams may still be reading the upload. */
function endUpload<Caller>({ admission, upload }: Progress<Caller>, { kind }: Reply): void {
  if (kind !== 'stream' && kind !== 'relay') upload?.release()
  if (admission && 'caller' in admission) admission.onBodyRead?.()
}

function reportWith<Caller, Host>(
  id: string,
  operation: Operation,
  {
    onAnswered,
    isAdministrative = () => true,
    onFault,
  }: Pick<ImplementOptions<Caller, Host>, 'onAnswered' | 'isAdministrative' | 'onFault'>,
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
      onFault?.(error, operation, id)
    }
  }
}

const isAbort = (error: unknown, signal: AbortSignal): boolean =>
  error === signal.reason ||
  error instanceof ClientDisconnected ||
  (error instanceof Error && error.name === 'AbortError')

class CheckedCall<Caller> extends CheckedInput implements Call<Operation, Caller> {
  readonly operation: Operation
  readonly requestId: string
  readonly caller: Caller
  readonly params: undefined
  readonly query: undefined
  readonly headers: undefined
  readonly body: undefined
  readonly rawBody: Uint8Array | undefined
  readonly upload: undefined
  readonly #exchange: Exchange
  #ending: AbortSignal | undefined

  constructor(
    operation: Operation,
    exchange: Exchange,
    requestId: string,
    caller: Caller,
    body: RequestBody,
    upload: Upload | undefined,
    parsed?: { readonly value: unknown } | undefined,
  ) {
    super()
    this.operation = operation
    this.#exchange = exchange
    this.requestId = requestId
    this.caller = caller
    this.rawBody = body.kind === 'bytes' ? body.bytes : undefined
    // Its type depends on the operation too.
    this.upload = upload as undefined
    // The handler's type has the output types of its schemas; here the operation is any.
    this.params = (operation.params && this.check('params', operation.params, exchange.params)) as undefined
    this.query = (operation.query && this.check('query', operation.query, parseQuery(exchange.query))) as undefined
    this.headers = (operation.headers && this.check('headers', operation.headers, exchange.headers)) as undefined
    this.body = this.check(
      'body',
      operation.body ?? emptyBody,
      parsed ? parsed.value : parseBody(body, { mostValues: operation.bodyValues }),
    ) as undefined
  }

  get rawQuery(): string {
    return this.#exchange.query
  }

  get rawHeaders(): RequestHeaders {
    return this.#exchange.headers
  }

  get remoteAddress(): string | undefined {
    return this.#exchange.remoteAddress
  }

  get mount(): Mount {
    return this.#exchange.mount
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }

  get ending(): AbortSignal {
    this.#ending ??= AbortSignal.any([this.#exchange.signal, this.#exchange.closing])
    return this.#ending
  }
}
