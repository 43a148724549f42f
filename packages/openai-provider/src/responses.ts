import {
  type DialectProvider,
  type JsonObject,
  type ProviderContext,
  type ProviderDialectRequest,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { answerKind, discard, isSuccess, readAnswer, type Upstream, type UpstreamAnswer } from '@trivium/provider-kit'
import { isObject, parseJson } from '@trivium/provider-kit/answers'
import { refusalIn } from './error-fields.ts'

/** The service of an upstream's `/responses`. */
export function responsesOver(upstream: Upstream): DialectProvider {
  async function ask(
    request: ProviderDialectRequest,
    context: ProviderContext,
    accept: string,
    path: `/${string}` = '/responses',
  ) {
    const { headers } = request
    const call = { ...context, headers: { ...headers, ...context.headers } }
    const answer = await upstream.call({ path, body: request.encode(), accept }, call)
    if (!isSuccess(answer)) throw upstream.failureOf(await upstream.refusalOf(answer))
    return answer
  }

  async function whole(answer: UpstreamAnswer) {
    const bytes = await readAnswer(answer)
    const value = parseJson(decoder.decode(bytes))
    if (isResponse(value)) return { bytes, value, headers: answer.headers }
    throw refusalIn(value, upstream) ?? noResponse()
  }

  /** Returns an answer that has the member of its operation. */
  async function read(answer: UpstreamAnswer, member: string) {
    const bytes = await readAnswer(answer)
    const value = parseJson(decoder.decode(bytes))
    if (isObject(value) && value[member] !== undefined) return { bytes, value, headers: answer.headers }
    throw refusalIn(value, upstream) ?? noResponse()
  }

  return {
    secrets: upstream.secrets,
    countTokens: async (request, context) =>
      read(await ask(request, context, 'application/json', '/responses/input_tokens'), 'input_tokens'),
    compact: async (request, context) =>
      read(await ask(request, context, 'application/json', '/responses/compact'), 'output'),
    complete: async (request, context) => whole(await ask(request, context, 'application/json')),
    stream: async (request, context) => {
      const answer = await ask(request, context, 'text/event-stream')
      const kind = await answerKind(answer)
      if (kind === 'events') {
        return { kind: 'encoded', start: answer.start, headers: answer.headers, secrets: upstream.secrets }
      }
      if (kind === 'other') {
        discard(answer)
        throw noResponse()
      }
      const { value, headers } = await whole(answer)
      return { kind: 'whole', value, headers }
    },
  }
}

const decoder = new TextDecoder()

/** Checks the fields that the gateway needs. A response has `error` too, which is `null` for one that succeeded. */
const isResponse = (value: unknown): value is JsonObject =>
  isObject(value) && value.object === 'response' && Array.isArray(value.output)

const noResponse = () =>
  new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a response.' })
