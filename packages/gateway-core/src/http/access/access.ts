import {
  type AdminCheck,
  type AdminVerdict,
  type Admission,
  type CallerIdentity,
  type Credentials,
  type HostRule,
  isCrossSite,
  type PresentedRequest,
  type RefusalReason,
  type UserCaller,
  verdictRefusal,
} from '@trivium/http-contract'
import { type Result, ResultAsync } from 'neverthrow'
import type { Promisable } from 'type-fest'
import type { ApiKey } from '../../api-keys/api-key.ts'
import type { ApiKeyRefusal, ApiKeys } from '../../api-keys/api-keys.ts'
import type { Caller } from '../../caller.ts'
import { ownTeam } from '../../groups/own-team.ts'
import { type Failure, failure } from '../errors/failure.ts'
import { failureReply } from '../errors/failure-reply.ts'
import { toFailure } from '../errors/to-failure.ts'
import { gatewayCredentials } from './gateway-credentials.ts'

/** Who may call an operation, without a rule of the host. */
export type OwnRule =
  | 'open'
  /** An API key, or the admin. */
  | 'key'
  /** The admin, or a key of a team whose user is an owner of the team. */
  | 'owner'
  | 'admin'

/** Whether a rule is for the admin, and for owners of teams at most. */
export const isAdministrative = (rule: OwnRule): boolean => rule === 'admin' || rule === 'owner'

/** A caller that a rule of the host may return. */
export type HostCaller = Exclude<Caller, { readonly type: 'user' }> | UserCaller

/** Who may call an operation. `default` is the operation's own rule. */
export type AccessRule<Host = unknown> = OwnRule | 'default' | HostRule<HostCaller, Host>

export interface AccessOptions {
  readonly apiKeys: ApiKeys
  readonly isAdmin: AdminCheck
}

const anonymousCaller: Admission<Caller> = { caller: { type: 'anonymous' }, identity: { type: 'anonymous' } }
const adminCaller: Admission<Caller> = { caller: { type: 'admin' }, identity: { type: 'admin' } }

/** Identifies the caller by the headers and checks the rule. Synchronous where the key is cached. */
export function decideAccess(
  rule: OwnRule,
  request: PresentedRequest,
  options: AccessOptions,
): Promisable<Admission<Caller>> {
  if (rule === 'open') return anonymousCaller
  const credentials = gatewayCredentials(request.headers)
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

async function decideBasic(
  { username, password }: Extract<Credentials, { type: 'basic' }>,
  request: PresentedRequest,
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
  rule: Exclude<OwnRule, 'open'>,
  token: string,
  request: PresentedRequest,
  options: AccessOptions,
): Promisable<Admission<Caller>> {
  const found = options.apiKeys.authenticate(token)
  return found instanceof ResultAsync
    ? found.then((key) => decideKey(rule, token, key, request, options))
    : decideKey(rule, token, found, request, options)
}

function decideKey(
  rule: Exclude<OwnRule, 'open'>,
  token: string,
  key: Result<ApiKey, ApiKeyRefusal>,
  request: PresentedRequest,
  { isAdmin }: AccessOptions,
): Promisable<Admission<Caller>> {
  if (key.isOk()) {
    const identity = identityOf(key.value)
    if (!isForKey(rule, key.value)) return { ...refused(adminOnly(), 'admin_required'), identity }
    return { caller: { type: 'key', key: key.value }, identity }
  }
  const invalid = toFailure(key.error)
  if (key.error.type !== 'api-key-malformed') return refused(invalid, 'wrong_key')
  return Promise.resolve(isAdmin({ password: token }, request)).then((verdict) => adminAdmission(verdict, invalid))
}

/** Whether the rule of an operation admits a key. */
export const isForKey = (rule: OwnRule, key: ApiKey): boolean =>
  rule === 'owner' ? ownTeam(key) !== undefined : rule !== 'admin'

export const identityOf = ({ id }: ApiKey): CallerIdentity => ({ type: 'key', id })

export const refused = (answer: Failure, reason: RefusalReason): Admission<Caller> => ({
  reply: failureReply(answer),
  reason,
})

const BASIC = 'Basic realm="trivium", charset="UTF-8"'
const challenges = { key: 'Bearer', owner: BASIC, admin: BASIC }

const KEY_HEADERS = "'Authorization: Bearer YOUR_KEY' or 'x-api-key: YOUR_KEY'"

function invalidCredentials(
  type: Exclude<Credentials['type'], 'bearer' | 'basic'>,
  rule: Exclude<OwnRule, 'open'>,
): Failure {
  const headers = { 'www-authenticate': challenges[rule] }
  if (type === 'malformed') {
    const message = `The header with the API key cannot be read. It must be ${KEY_HEADERS}, once.`
    return failure(401, message, { code: 'invalid_api_key', headers })
  }
  return rule === 'key'
    ? failure(401, `You did not provide an API key. Put it in the header ${KEY_HEADERS}.`, {
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

export const adminOnly = () =>
  failure(403, "API keys cannot use this operation. It requires the admin's password.", { code: 'admin_required' })
