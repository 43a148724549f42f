import type { Promisable } from 'type-fest'
import { type AnsweredRequest, subjectOf } from './answered-request.ts'
import { CheckedInput, parseQuery } from './checked-input.ts'
import type { Reply, ReplyHeaders } from './exchange.ts'
import type { InputIssue } from './failures.ts'
import { faultReport } from './fault-report.ts'
import type { Admission } from './implement.ts'
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
export interface ImplementSocketsOptions<Caller> {
  /** The replies to upgrades that no handler decides. */
  readonly failures: SocketFailures
  /**
   * Runs before any part of the request is read. A `reply` refuses the upgrade; a `caller` is passed to the handler.
   *
   * @default everyone is admitted, as `undefined`
   */
  readonly admit?: (exchange: SocketExchange, operation: SocketOperation, id: string) => Promisable<Admission<Caller>>
  /**
   * Receives every refused upgrade and every opened socket. What it throws goes to `onFault`.
   *
   * @default nothing is reported
   */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /** Headers of every refusal of an operation. Called once for each operation. @default none */
  readonly headers?: (operation: SocketOperation) => ReplyHeaders
  /**
   * Receives every fault that caused an `unexpected` reply, and every error that a listener of an open socket threw.
   * What it throws is ignored.
   *
   * @default faults are dropped
   */
  readonly onFault?: (error: unknown, operation: SocketOperation) => void
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
 * @throws TypeError if a socket has no handler
 */
export function implementSockets<const C extends SocketContract, Caller = undefined>(
  contract: C,
  handlers: NoInfer<SocketHandlers<C, Caller>>,
  options: ImplementSocketsOptions<Caller>,
): readonly SocketRoute[]
export function implementSockets<Caller>(
  contract: SocketContract,
  handlers: Readonly<Record<string, AnySocketHandler<Caller>>>,
  options: ImplementSocketsOptions<Caller>,
): readonly SocketRoute[] {
  const { slashes = 'exact' } = options
  const onFault = faultReport(options.onFault)
  return Object.entries(contract).map(([id, operation]) => {
    const handler = handlers[id]
    if (!handler) throw new TypeError(`Socket '${id}' has no handler`)
    return {
      id,
      operation,
      slashes,
      accept: acceptWith(id, operation, handler, { ...options, onFault }),
      onFault: (error) => onFault(error, operation),
    }
  })
}

type AnySocketHandler<Caller> = (call: SocketCall<SocketOperation, Caller>) => Promisable<SocketVerdict>

function acceptWith<Caller>(
  id: string,
  operation: SocketOperation,
  handler: AnySocketHandler<Caller>,
  options: ImplementSocketsOptions<Caller> & Required<Pick<ImplementSocketsOptions<Caller>, 'onFault'>>,
): SocketRoute['accept'] {
  const { failures, admit, headers, onAnswered, onFault } = options
  const common = headers?.(operation) ?? {}
  const refuse = ({ reply, ...why }: SocketRefusal): SocketVerdict => ({
    reply: { ...reply, headers: { ...common, ...reply.headers } },
    ...why,
  })
  const answer = async (exchange: SocketExchange): Promise<SocketVerdict> => {
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
      onFault(error, operation)
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
      onFault(error, operation)
    }
    return verdict
  }
}

const SWITCHING_PROTOCOLS = 101
