import {
  type Admission,
  accessRefusal,
  accessRule,
  type CallerIdentity,
  type Exchange,
  type Operation,
  type Refusal,
  type Reply,
  type RequestHeaders,
} from '@trivium/http-contract'
import type { Svm } from '../../svms/svm.ts'
import { codes } from '../errors/error-codes.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import type { StorageRoutesOptions } from '../options.ts'
import { isStorable } from '../requests/expand-body.ts'

/** What the headers of a request state about its caller. */
export interface Caller {
  /** The SVM of a header. It narrows every list and is the default SVM of every body. */
  readonly svm: Svm | undefined
  /** Whether answers have `_links`. */
  readonly links: boolean
}

export interface AdmitOptions extends Pick<StorageRoutesOptions, 'admin' | 'authorize'> {
  readonly svms: () => Promise<readonly Svm[]>
}

/** Applies the access rules, and finds the SVM of the headers. */
export function admitWith({ admin = () => false, authorize, svms }: AdmitOptions) {
  return async (exchange: Exchange, _: Operation, operation: string): Promise<Admission<Caller>> => {
    const { headers, remoteAddress } = exchange
    const rule = accessRule(authorize, operation) ?? 'admin'
    const refusal = await accessRefusal(rule, { operation, headers, remoteAddress }, admin)
    if (refusal) return { reply: refusalReply(refusal), reason: refusal.reason }
    const identity: CallerIdentity = { type: rule === 'open' ? 'anonymous' : 'admin' }
    if (Object.values(exchange.params).some((value) => !isStorable(value))) return { reply: notFoundReply, identity }
    const svm = await chosenSvm(headers, svms)
    if (svm === 'unknown') {
      const name = text(headers['x-dot-svm-name']) ?? text(headers['x-dot-svm-uuid']) ?? ''
      return { reply: failureReply(toFailure({ type: 'svm-not-found', svm: name })), identity }
    }
    return { caller: { svm, links: acceptsLinks(text(headers.accept) ?? '') }, identity }
  }
}

/** Only a client that accepts `application/json` and not HAL gets answers without links. */
const acceptsLinks = (accept: string): boolean => accept.includes('hal+json') || !accept.includes('application/json')

async function chosenSvm(
  headers: RequestHeaders,
  svms: () => Promise<readonly Svm[]>,
): Promise<Svm | 'unknown' | undefined> {
  const name = text(headers['x-dot-svm-name'])
  const uuid = text(headers['x-dot-svm-uuid'])
  if (name === undefined && uuid === undefined) return undefined
  const found = (await svms()).find(
    (svm) => (name === undefined || svm.name === name) && (uuid === undefined || svm.uuid === uuid),
  )
  return found ?? 'unknown'
}

const text = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')

export function refusalReply({ retryAfterSeconds }: Refusal): Reply {
  if (retryAfterSeconds === undefined) return unauthorized
  const message = 'Too many wrong passwords came from this address. Wait, and try again.'
  return failureReply({ status: 429, code: codes.notAuthorized, message }, { 'retry-after': String(retryAfterSeconds) })
}

const unauthorized = failureReply(
  { status: 401, code: codes.notAuthorized, message: 'User is not authorized' },
  { 'www-authenticate': 'Basic realm="Trivium", charset="UTF-8"' },
)

const notFoundReply = failureReply(notFound('uuid'))
