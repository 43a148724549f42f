import type { Promisable } from 'type-fest'
import { type AnsweredRequest, subjectOf } from './answered-request.ts'
import { CheckedInput, parseQuery } from './checked-input.ts'
import type { Reply, ReplyHeaders } from './exchange.ts'
import type { InputIssue } from './failures.ts'
import { faultReport } from './fault-report.ts'
import type { Admission } from './implement.ts'
import { mountHeaders } from './mount-headers.ts'
import { PublicSocketExchange } from './public-exchange.ts'
import { publicMount } from './public-mount.ts'
import type {
  SocketCall,
  SocketContract,
  SocketExchange,
  SocketHandlers,
  SocketOperation,
  SocketRefusal,
  SocketRoute,
  SocketVerdict,
} from './socket.ts'

/** Replies of one API to upgrades that no handler decides. */
export interface SocketFailures {
  /** A parameter or the query does not match its schema. `issue` is the first mismatch. */
  readonly invalid: (issue: InputIssue, operation: SocketOperation) => Reply
  /** A handler threw. The reply must not reveal the error. */
  readonly unexpected: (error: unknown, operation: SocketOperation) => Reply
}

/** Options for all sockets of a contract. Only `failures` is required. */
export interface ImplementSocketsOptions<Caller, Host = unknown> {
  /** The replies to upgrades that no handler decides. */
  readonly failures: SocketFailures
  /**
   * Runs before any part of the request is read. A `reply` refuses the upgrade; a `caller` is passed to the handler.
   *
   * @default everyone is admitted, as `undefined`
   */
  readonly admit?: (
    exchange: SocketExchange<Host>,
    operation: SocketOperation,
    id: string,
  ) => Promisable<Admission<Caller>>
  /**
   * Receives every refused upgrade and every opened socket. What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /**
   * Headers of every refusal of an operation, as {@link ImplementOptions.headers}.
   *
   * @default none
   */
  readonly headers?: (operation: SocketOperation, mountPath: string) => ReplyHeaders
  /**
   * The URL at which clients reach the routes, as {@link ImplementOptions.publicUrl}.
   *
   * @default the address that the host reports for each upgrade
   */
  readonly publicUrl?: string
  /**
   * Receives every fault that caused an `unexpected` reply, and every error that a listener of an open socket threw.
   * `id` is the operation's id in the contract. What it throws is ignored.
   *
   * @default console.error, with the operation: of equal faults of an operation one in 10 seconds, with the number of
   *   those left out
   */
  readonly onFault?: (error: unknown, operation: SocketOperation, id: string) => void
  /**
   * How paths match. With `lenient`, doubled slashes count as one, and a trailing slash is ignored.
   *
   * @default 'exact'
   */
  readonly slashes?: SocketRoute['slashes']
}

/**
 * Binds handlers to a contract of sockets, and returns the routes to mount: with `expressSockets`, `fastifySockets` or
 * `fetchSockets`.
 *
 * @throws TypeError if a socket has no handler, or `publicUrl` is not valid
 */
export function implementSockets<const C extends SocketContract, Caller = undefined, Host = unknown>(
  contract: C,
  handlers: NoInfer<SocketHandlers<C, Caller>>,
  options: ImplementSocketsOptions<Caller, Host>,
): readonly SocketRoute<Host>[]
export function implementSockets<Caller, Host>(
  contract: SocketContract,
  handlers: Readonly<Record<string, AnySocketHandler<Caller>>>,
  options: ImplementSocketsOptions<Caller, Host>,
): readonly SocketRoute<Host>[] {
  const { slashes = 'exact' } = options
  const onFault = faultReport(options.onFault)
  const fixed = options.publicUrl === undefined ? undefined : publicMount(options.publicUrl)
  return Object.entries(contract).map(([id, operation]) => {
    const handler = handlers[id]
    if (!handler) throw new TypeError(`Socket '${id}' has no handler`)
    const accept = acceptWith(id, operation, handler, { ...options, onFault })
    return {
      id,
      operation,
      slashes,
      accept: fixed ? (exchange) => accept(new PublicSocketExchange(exchange, fixed)) : accept,
      onFault: (error) => onFault(error, operation, id),
    }
  })
}

type AnySocketHandler<Caller> = (call: SocketCall<SocketOperation, Caller>) => Promisable<SocketVerdict>

function acceptWith<Caller, Host>(
  id: string,
  operation: SocketOperation,
  handler: AnySocketHandler<Caller>,
  options: ImplementSocketsOptions<Caller, Host> & Required<Pick<ImplementSocketsOptions<Caller, Host>, 'onFault'>>,
): SocketRoute<Host>['accept'] {
  const { failures, admit, headers, onAnswered, onFault } = options
  const headersAt = mountHeaders(operation, headers)
  const refuseAt =
    (exchange: SocketExchange<Host>) =>
    ({ reply, ...why }: SocketRefusal): SocketVerdict => ({
      reply: { ...reply, headers: { ...headersAt?.(exchange), ...reply.headers } },
      ...why,
    })
  const answer = async (exchange: SocketExchange<Host>): Promise<SocketVerdict> => {
    const refuse = refuseAt(exchange)
    try {
      const admission = await admit?.(exchange, operation, id)
      if (admission && 'reply' in admission) return refuse(admission)
      const input = new CheckedInput()
      const params = input.check('params', operation.params, exchange.params)
      const query = input.check('query', operation.query, parseQuery(exchange.query))
      if (input.issue) return refuse({ reply: failures.invalid(input.issue, operation) })
      const verdict = await handler({
        // The handler's type has the output types of its schemas; here the operation is any.
        params: params as undefined,
        query: query as undefined,
        // Without `admit` the caller is undefined, and so is its type.
        caller: admission?.caller as Caller,
      })
      const identified = { ...(admission?.identity && { identity: admission.identity }), ...verdict }
      return 'reply' in identified ? refuse(identified) : identified
    } catch (error) {
      onFault(error, operation, id)
      return refuse({ reply: failures.unexpected(error, operation) })
    }
  }
  return async (exchange) => {
    const verdict = await answer(exchange)
    const { remoteAddress } = exchange
    const refusal = 'reply' in verdict ? verdict.reason : undefined
    try {
      onAnswered?.({
        operation: id,
        method: 'GET',
        path: operation.path,
        administrative: true,
        caller: verdict.identity,
        remoteAddress,
        requestId: '',
        status: 'reply' in verdict ? verdict.reply.status : SWITCHING_PROTOCOLS,
        refusal,
        subject: refusal === undefined ? subjectOf('GET', exchange) : {},
      })
    } catch (error) {
      onFault(error, operation, id)
    }
    return verdict
  }
}

const SWITCHING_PROTOCOLS = 101
