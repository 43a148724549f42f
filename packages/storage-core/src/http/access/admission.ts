import {
  type Admission,
  accessRequest,
  accessRule,
  callerIdentity,
  checkAccessRules,
  decideAccess,
  type Exchange,
  type HostRefusal,
  type Refusal,
  type Reply,
  type RequestHeaders,
} from '@trivium/http-contract'
import type { Storage } from '../../create-storage.ts'
import type { Svm } from '../../svms/svm.ts'
import { storageContract } from '../contract.ts'
import { codes } from '../errors/error-codes.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { notPermittedFailure } from '../errors/not-permitted.ts'
import { notFound, toFailure } from '../errors/to-failure.ts'
import { linksFrom } from '../links-from.ts'
import type { StorageRoutesOptions } from '../options.ts'
import { isStorable } from '../requests/expand-body.ts'
import { storageSockets } from '../socket-contract.ts'
import type { Caller, Sight } from './caller.ts'
import { isOfferedToUsers } from './offered-operations.ts'
import { OWN_OPERATION, ownCaller } from './own-caller.ts'
import { sightOfUser } from './sight-of-user.ts'

/** The operations and sockets that rules can name. */
const operations = [...Object.keys(storageContract), ...Object.keys(storageSockets)]

/** Applies the access rules, and finds what the caller sees: the volumes of a user, and the SVM of the headers. */
export function admitWith<Host>(
  { svms, volumes, selfTokens }: Pick<Storage, 'svms' | 'volumes' | 'selfTokens'>,
  { admin = () => false, authorize }: Pick<StorageRoutesOptions<Host>, 'admin' | 'authorize'>,
) {
  checkAccessRules(authorize, operations, ['open', 'admin'])
  const own = ownCaller({ selfTokens })
  return async (
    exchange: Omit<Exchange<Host>, 'body' | 'closing'>,
    operation: string,
    method: string,
  ): Promise<Admission<Caller>> => {
    const { headers } = exchange
    const rule = accessRule(authorize, operation) ?? 'admin'
    const toUsers = isOfferedToUsers(operation)
    const decided = await decideAccess(rule, accessRequest(exchange, operation, method), admin, {
      toUsers,
      own,
    })
    if ('refusal' in decided) return refusalOf(decided.refusal, decided.answer, operation)
    const { caller } = decided
    const user = caller.type === 'user' ? caller : undefined
    const identity = callerIdentity(caller)
    if (Object.values(exchange.params).some((value) => !isStorable(value))) return { reply: notFoundReply, identity }
    const sight = user && (await sightOfUser(user, volumes))
    const svm = await chosenSvm(headers, svms, sight)
    if (svm === 'unknown') {
      const name = text(headers['x-dot-svm-name']) ?? text(headers['x-dot-svm-uuid']) ?? ''
      return { reply: failureReply(toFailure({ type: 'svm-not-found', svm: name })), identity }
    }
    const { path: mountPath } = exchange.mount
    const links = acceptsLinks(text(headers.accept) ?? '') ? linksFrom(mountPath) : undefined
    return { caller: { svm, userId: user?.id, sight, mountPath, links }, identity }
  }
}

/** Only a client that accepts `application/json` and not HAL gets answers without links. */
const acceptsLinks = (accept: string): boolean => accept.includes('hal+json') || !accept.includes('application/json')

async function chosenSvm(
  headers: RequestHeaders,
  svms: Storage['svms'],
  sight: Sight | undefined,
): Promise<Svm | 'unknown' | undefined> {
  const name = text(headers['x-dot-svm-name'])
  const uuid = text(headers['x-dot-svm-uuid'])
  if (name === undefined && uuid === undefined) return undefined
  const found = (await svms.list()).find(
    (svm) =>
      (name === undefined || svm.name === name) &&
      (uuid === undefined || svm.uuid === uuid) &&
      (!sight || sight.svms.includes(svm.uuid)),
  )
  return found ?? 'unknown'
}

const text = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')

/** Returns the answer to a refused request. `answer` is the host's own. */
function refusalOf(
  { reason, retryAfterSeconds, user }: Refusal,
  answer: HostRefusal | undefined,
  operation: string,
): Admission<Caller> {
  if (user !== undefined) return { reply: notPermitted, reason, identity: { type: 'user', id: user } }
  if (answer) return { reply: hostReply(answer), reason }
  if (retryAfterSeconds === undefined)
    return { reply: operation === OWN_OPERATION ? tokenNeeded : unauthorized, reason }
  return { reply: tooManyPasswords(retryAfterSeconds), reason }
}

/** The status may be one that no operation declares. */
const hostReply = ({ status, message }: HostRefusal): Reply => ({
  ...failureReply({ status: 401, code: codes.notAuthorized, message }),
  status,
})

export function tooManyPasswords(retryAfterSeconds: number): Reply {
  const message = 'Too many wrong passwords came from this address. Wait, and try again.'
  return failureReply({ status: 429, code: codes.notAuthorized, message }, { 'retry-after': String(retryAfterSeconds) })
}

export const notPermitted = failureReply(notPermittedFailure)

function challenged(challenge: string): Reply {
  const failure = { status: 401, code: codes.notAuthorized, message: 'User is not authorized' } as const
  return failureReply(failure, { 'www-authenticate': challenge })
}

export const unauthorized = challenged('Basic realm="Trivium", charset="UTF-8"')
/** With the other challenge, a browser would ask the user for a password. */
const tokenNeeded = challenged('Bearer realm="Trivium"')

const notFoundReply = failureReply(notFound('uuid'))
