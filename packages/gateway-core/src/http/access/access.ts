import {
  type AccessRequest,
  type AdminCheck,
  type AdminVerdict,
  type Admission,
  type CallerIdentity,
  type Credentials,
  credentialsOf,
  type HostRule,
  isCrossSite,
  type RefusalReason,
  verdictRefusal,
} from '@trivium/http-contract'
import { type Result, ResultAsync } from 'neverthrow'
import type { Promisable } from 'type-fest'
import type { ApiKey } from '../../api-keys/api-key.ts'
import type { ApiKeyRefusal, ApiKeys } from '../../api-keys/api-keys.ts'
import type { Caller } from '../../caller.ts'
import { type Failure, failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { toFailure } from '../errors/to-failure.ts'

/** Who may call an operation. */
export type AccessRule =
  | 'open'
  /** An API key, or the admin. */
  | 'key'
  | 'admin'
  | HostRule<Caller>

export interface AccessOptions {
  readonly apiKeys: ApiKeys
  readonly isAdmin: AdminCheck
}

const anonymousCaller: Admission<Caller> = { caller: { type: 'anonymous' }, identity: { type: 'anonymous' } }
const adminCaller: Admission<Caller> = { caller: { type: 'admin' }, identity: { type: 'admin' } }

/** Identifies the caller and checks the rule. Synchronous where the key is cached and the host is not asked. */
export function decideAccess(
  rule: AccessRule,
  request: AccessRequest,
  options: AccessOptions,
): Promisable<Admission<Caller>> {
  if (rule === 'open') return anonymousCaller
  if (typeof rule === 'function') return applyHostRule(rule, request)
  const credentials = credentialsOf(request.headers)
  switch (credentials.type) {
    case 'none':
    case 'malformed':
      return refused(
        invalidCredentials(credentials.type, rule),
        `${credentials.type === 'none' ? 'missing' : 'malformed'}_credentials`,
      )
    case 'basic':
      return isCrossSite(request.headers)
        ? refused(crossSite(), 'cross_site')
        : decideBasic(credentials, request, options)
    case 'bearer':
      return decideBearer(rule, credentials.token, request, options)
  }
}

async function applyHostRule(rule: HostRule<Caller>, request: AccessRequest): Promise<Admission<Caller>> {
  const caller = await rule(request)
  return isCaller(caller)
    ? { caller, identity: caller.type === 'key' ? identityOf(caller.key) : { type: caller.type } }
    : refused(failure(401, 'The host does not admit this request.', { code: 'unauthorized' }), 'host_rule')
}

/** Checks what the host's rule returned, because the host may be plain JavaScript. Other values refuse the request. */
function isCaller(caller: Caller | undefined): caller is Caller {
  switch (caller?.type) {
    case 'admin':
    case 'anonymous':
      return true
    case 'key':
      return typeof caller.key?.id === 'string'
    default:
      return false
  }
}

async function decideBasic(
  { username, password }: Extract<Credentials, { type: 'basic' }>,
  request: AccessRequest,
  { isAdmin }: AccessOptions,
): Promise<Admission<Caller>> {
  return adminAdmission(await isAdmin({ username, password }, request), wrongPassword())
}

function adminAdmission(verdict: AdminVerdict, wrongCredentials: Failure): Admission<Caller> {
  const refusal = verdictRefusal(verdict)
  if (!refusal) return adminCaller
  const { reason, retryAfterSeconds } = refusal
  return refused(retryAfterSeconds === undefined ? wrongCredentials : tooManyAttempts(retryAfterSeconds), reason)
}

function decideBearer(
  rule: 'key' | 'admin',
  token: string,
  request: AccessRequest,
  options: AccessOptions,
): Promisable<Admission<Caller>> {
  const found = options.apiKeys.authenticate(token)
  return found instanceof ResultAsync
    ? found.then((key) => decideKey(rule, token, key, request, options))
    : decideKey(rule, token, found, request, options)
}

function decideKey(
  rule: 'key' | 'admin',
  token: string,
  key: Result<ApiKey, ApiKeyRefusal>,
  request: AccessRequest,
  { isAdmin }: AccessOptions,
): Promisable<Admission<Caller>> {
  if (key.isOk()) {
    const identity = identityOf(key.value)
    if (rule !== 'key') return { ...refused(adminOnly(), 'admin_required'), identity }
    return { caller: { type: 'key', key: key.value }, identity }
  }
  const invalid = toFailure(key.error)
  if (key.error.type !== 'api-key-malformed') return refused(invalid, 'wrong_key')
  return Promise.resolve(isAdmin({ password: token }, request)).then((verdict) => adminAdmission(verdict, invalid))
}

const identityOf = ({ id }: ApiKey): CallerIdentity => ({ type: 'key', id })

const refused = (answer: Failure, reason: RefusalReason): Admission<Caller> => ({ reply: failureReply(answer), reason })

const challenges = { key: 'Bearer', admin: 'Basic realm="trivium", charset="UTF-8"' }

function invalidCredentials(type: Exclude<Credentials['type'], 'bearer' | 'basic'>, rule: 'key' | 'admin'): Failure {
  const headers = { 'www-authenticate': challenges[rule] }
  if (type === 'malformed') {
    const message = "The Authorization header cannot be read. It must be 'Authorization: Bearer YOUR_KEY', once."
    return failure(401, message, { code: 'invalid_api_key', headers })
  }
  return rule === 'key'
    ? failure(401, "You did not provide an API key. Put it in the header 'Authorization: Bearer YOUR_KEY'.", {
        code: 'missing_api_key',
        headers,
      })
    : failure(401, "This operation requires the admin's password, as HTTP Basic or as a Bearer token.", {
        code: 'missing_credentials',
        headers,
      })
}

const wrongPassword = () =>
  failure(401, 'Incorrect username or password.', {
    code: 'invalid_credentials',
    headers: { 'www-authenticate': challenges.admin },
  })

/** Refuses credentials that the browser added, perhaps without its user. */
const crossSite = () =>
  failure(401, 'HTTP Basic is not accepted from a page of another site. Use a Bearer token.', {
    code: 'foreign_origin',
    headers: { 'www-authenticate': challenges.admin },
  })

export const tooManyAttempts = (retryAfterSeconds: number) =>
  failure(429, 'Too many wrong passwords came from this address. Wait, and try again.', {
    code: 'too_many_guesses',
    retryAfterSeconds,
  })

const adminOnly = () =>
  failure(403, "API keys cannot use this operation. It requires the admin's password.", { code: 'admin_required' })
