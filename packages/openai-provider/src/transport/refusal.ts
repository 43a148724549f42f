import { ProviderFailure, retryAfterSeconds } from '@trivium/gateway-core/ports'
import { isObject, type JsonObject, parseJson } from '../json.ts'

export interface Refusal {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** The answer's body, or as much of it as was read. */
  readonly text: string
}

export interface RefusalOptions {
  /** Never told to a client, even where the upstream repeats them. */
  readonly secrets: readonly string[]
  readonly now: () => Date
}

const MAX_LENGTH = 2000

/** What an upstream's error answer says. Whatever speaks of its credentials is kept from the client. */
export function refusal({ status, headers = {}, text }: Refusal, { secrets, now }: RefusalOptions): ProviderFailure {
  if (status >= 300 && status < 400) {
    return new ProviderFailure({
      type: 'malformed',
      message: 'The upstream answered with a redirect, which is not followed.',
    })
  }
  const said = errorObject(parseJson(text))
  const secret = status === 401 || status === 403
  const told = (name: string) => withoutSecrets(textIn(said, name), secrets)
  const upstreamType = told('type')
  const code = told('code')
  const param = told('param')
  return new ProviderFailure({
    type: 'refused',
    status,
    message: secret
      ? 'The upstream refused the credentials of the gateway.'
      : (told('message') ?? `The upstream answered with status ${status}.`),
    ...(upstreamType === undefined ? {} : { upstreamType }),
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
    retryAfterSeconds: retryAfterSeconds(headers, now),
  })
}

/** The error of an answer that came with a good status. */
export function refusalIn(answer: unknown, options: RefusalOptions): ProviderFailure | undefined {
  if (!isObject(answer) || !answer.error || Array.isArray(answer.choices)) return undefined
  const code = isObject(answer.error) ? Number(answer.error.code ?? answer.error.status) : Number.NaN
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : 500
  return refusal({ status, text: JSON.stringify(answer) }, options)
}

/** OpenAI's own form and those of servers that claim it: a bare text, no wrapper, FastAPI's `detail`, Google's list. */
function errorObject(answer: unknown): JsonObject {
  if (Array.isArray(answer)) return errorObject(answer[0])
  if (!isObject(answer)) return {}
  const { error, detail } = answer
  if (isObject(error)) return error
  if (typeof error === 'string') return { ...answer, message: error }
  if (typeof detail === 'string') return { message: detail }
  if (Array.isArray(detail) && isObject(detail[0])) return { message: detail[0].msg, ...paramOf(detail[0].loc) }
  return answer
}

const paramOf = (location: unknown): JsonObject =>
  Array.isArray(location) ? { param: location.filter((part) => part !== 'body').join('.') } : {}

const textIn = (object: JsonObject, name: string): string | undefined => {
  const value = object[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

const withoutSecrets = (told: string | undefined, secrets: readonly string[]): string | undefined =>
  told && secrets.reduce((text, secret) => text.replaceAll(secret, '***'), told).slice(0, MAX_LENGTH)
