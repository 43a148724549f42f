import { type FieldNames, unknownName } from '../unknown-name.ts'

/**
 * A user of the host, who needs no API key. The gateway counts and limits by `id`; the other two services show only what
 * is theirs. The same user may be returned to all three services.
 */
export interface UserCaller {
  readonly type: 'user'
  /** 1 to 128 characters without control characters, the same in each request. */
  readonly id: string
  /** The limits of the gateway. @default none */
  readonly limits?: UserLimits
  /**
   * What the user may call: ids of operations, and `read` for every GET that users may call, without WebSockets. An
   * operation that only the admin may call has to be named.
   *
   * @default every operation that the service offers to users
   */
  readonly scopes?: readonly string[]
  /**
   * The ids of the emulation's projects that the user may use beside those that they created; `all` for every project.
   *
   * @default their own only
   */
  readonly labs?: readonly string[] | 'all'
  /** The UUIDs of the volumes of the storage that the user may use; `all` for every volume. @default none */
  readonly volumes?: readonly string[] | 'all'
}

/** The limits of a user in the gateway, over all processes that share its store. An absent one is unlimited. */
export interface UserLimits {
  /** Admitted requests in any 60 seconds, from 1 to 100,000. */
  readonly requestsPerMinute?: number
  /** Input and output together in a minute of the clock, at least 1. */
  readonly tokensPerMinute?: number
  /** Input and output together in a day of UTC, at least 1. */
  readonly tokensPerDay?: number
}

const MAX_ID_LENGTH = 128
const MAX_REQUESTS = 100_000
const MAX_TOKENS = Number.MAX_SAFE_INTEGER
const UNWRITABLE = /[\p{Cc}\p{Cs}]/u

const limitsOf = { requestsPerMinute: MAX_REQUESTS, tokensPerMinute: MAX_TOKENS, tokensPerDay: MAX_TOKENS } as const

const fields: FieldNames<UserCaller> = { type: true, id: true, limits: true, scopes: true, labs: true, volumes: true }

/**
 * Returns which field of a user is wrong, as the end of a sentence; `undefined` if none is. A host may be plain
 * JavaScript, where a misspelt field would lift a limit. A field with the value `undefined` is absent.
 */
export function userMistake(user: UserCaller): string | undefined {
  const unknown = unknownName(user, fields)
  if (unknown !== undefined) return `the unknown field '${unknown}'`
  const { id, limits, scopes, labs, volumes } = user
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_LENGTH || UNWRITABLE.test(id)) {
    return `an 'id' that is not a text of 1 to ${MAX_ID_LENGTH} characters without control characters`
  }
  if (limits !== undefined && (typeof limits !== 'object' || limits === null)) return `'limits' that are not an object`
  for (const name of Object.keys(limits ?? {})) {
    if (!Object.hasOwn(limitsOf, name)) return `the unknown limit '${name}'`
  }
  for (const [name, most] of Object.entries(limitsOf)) {
    const limit: unknown = limits?.[name as keyof UserLimits] // the names of the table
    if (limit !== undefined && !isWhole(limit, most))
      return `'limits.${name}', which is not a whole number from 1 to ${most}`
  }
  if (scopes !== undefined && !isTexts(scopes)) return `'scopes' that is not a list of texts`
  if (labs !== undefined && labs !== 'all' && !isTexts(labs)) return `'labs' that is neither 'all' nor a list of ids`
  if (volumes !== undefined && volumes !== 'all' && !isTexts(volumes)) {
    return `'volumes' that is neither 'all' nor a list of UUIDs`
  }
  return undefined
}

const isWhole = (value: unknown, most: number): boolean =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= most

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((text) => typeof text === 'string')

/**
 * Returns whether a user may call an operation.
 *
 * @param isOffered whether the service offers the operation to users, and not to the admin alone
 */
export function mayCall(
  { scopes }: Pick<UserCaller, 'scopes'>,
  { operation, method }: { readonly operation: string; readonly method: string },
  isOffered: boolean,
): boolean {
  if (scopes === undefined) return isOffered
  return scopes.includes(operation) || (isOffered && method === 'GET' && scopes.includes('read'))
}
