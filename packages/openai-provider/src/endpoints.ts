import {
  type Endpoint,
  type EndpointAnswer,
  type EndpointProvider,
  type ProviderContext,
  type ProviderEndpointRequest,
  ProviderFailure,
} from '@trivium/gateway-core/ports'
import { discard, readAnswer, type Upstream, type UpstreamAnswer } from '@trivium/provider-kit'
import { parseJson } from '@trivium/provider-kit/answers'
import { refusalIn } from './error-fields.ts'

const paths: Readonly<Record<Endpoint, `/${string}`>> = {
  embeddings: '/embeddings',
  completions: '/completions',
  moderations: '/moderations',
  speech: '/audio/speech',
  transcriptions: '/audio/transcriptions',
  translations: '/audio/translations',
  'image-generations': '/images/generations',
  'image-edits': '/images/edits',
  'image-variations': '/images/variations',
  rerank: '/rerank',
  files: '/files',
  batches: '/batches',
}

/** The endpoints of OpenAI's interface, and reranking. */
export const allEndpoints: readonly Endpoint[] = Object.keys(paths).filter((name): name is Endpoint => name in paths)

/** Answers up to this size are checked for an error in them, and for being JSON. */
const MAX_CHECKED_BYTES = 65_536

const decoder = new TextDecoder()

export interface EndpointsOverOptions {
  readonly supported: ReadonlySet<Endpoint>
  readonly asksStreamUsage: boolean
}

export function endpointsOver(
  upstream: Upstream,
  { supported, asksStreamUsage }: EndpointsOverOptions,
): EndpointProvider {
  const ask = (
    { endpoint, method, suffix, body, accept, headers, streamed }: ProviderEndpointRequest,
    context: ProviderContext,
  ): Promise<UpstreamAnswer> =>
    upstream.ask(
      {
        path: `${paths[endpoint]}${suffix}`,
        method,
        ...(body ? { body: body.content, contentType: body.contentType } : {}),
        headers,
        accept: streamed && accept === 'application/json' ? 'text/event-stream' : accept,
      },
      context,
    )

  const whole = async (answer: UpstreamAnswer): Promise<EndpointAnswer> => {
    const { headers } = answer
    const bytes = await readAnswer(answer)
    checkJson(bytes)
    return { kind: 'whole', bytes, contentType: 'application/json', headers }
  }

  /** @throws ProviderFailure for an answer that is an error, or that is not JSON */
  const checkJson = (bytes: Uint8Array): void => {
    if (bytes.length > MAX_CHECKED_BYTES) {
      if (bytes[0] !== OPEN_BRACE && bytes[0] !== OPEN_BRACKET) throw notJson()
      return
    }
    const value = parseJson(decoder.decode(bytes))
    const refusal = refusalIn(value, upstream)
    if (refusal) throw refusal
    if (typeof value !== 'object' || value === null) throw notJson()
  }

  const raw = async (
    { streamed }: ProviderEndpointRequest,
    answer: UpstreamAnswer,
    contentType: string,
  ): Promise<EndpointAnswer> => {
    const { headers, start } = answer
    if (streamed) return { kind: 'stream', start, contentType, headers, secrets: upstream.secrets }
    return { kind: 'whole', bytes: await readAnswer(answer), contentType, headers }
  }

  return {
    asksStreamUsage,
    supports: (endpoint) => supported.has(endpoint),
    send: async (request, context) => {
      const answer = await ask(request, context)
      const { 'content-type': contentType = defaultType(request) } = answer.headers
      if (isRaw(request, contentType)) return raw(request, answer, contentType)
      if (isJson(request, contentType)) return whole(answer)
      discard(answer)
      throw new ProviderFailure({
        type: 'malformed',
        message: 'The upstream answered with a content type that its endpoint does not have.',
      })
    },
  }
}

const [OPEN_BRACE, OPEN_BRACKET] = [0x7b, 0x5b]

const JSON_TYPE = /^application\/(?:[\w.-]{1,100}\+)?json\b/i

/** Whether the answer is the content of a file, which has any form. */
const isFile = ({ endpoint, suffix }: ProviderEndpointRequest): boolean =>
  endpoint === 'files' && suffix.endsWith('/content')

const defaultType = ({ streamed, accept }: ProviderEndpointRequest): string =>
  streamed ? 'application/octet-stream' : accept

/** The content types of an endpoint besides JSON. */
const contentTypes: Readonly<Partial<Record<Endpoint, RegExp>>> = {
  completions: /^text\/event-stream\b/i,
  speech: /^(?:audio\/|video\/mp4|application\/octet-stream\b|application\/ogg\b|text\/event-stream\b)/i,
  transcriptions: /^(?:text\/(?:plain|vtt|srt|event-stream)\b|application\/(?:x-subrip|octet-stream)\b)/i,
  translations: /^(?:text\/(?:plain|vtt|srt|event-stream)\b|application\/(?:x-subrip|octet-stream)\b)/i,
  'image-generations': /^text\/event-stream\b/i,
  'image-edits': /^text\/event-stream\b/i,
}

/** Whether the answer is passed on unchecked. */
const isRaw = (request: ProviderEndpointRequest, contentType: string): boolean =>
  isFile(request) || contentTypes[request.endpoint]?.test(contentType) === true

/** Endpoints that have only JSON answer with it under any content type. */
const isJson = ({ endpoint }: ProviderEndpointRequest, contentType: string): boolean =>
  contentTypes[endpoint] === undefined || JSON_TYPE.test(contentType)

const notJson = () => new ProviderFailure({ type: 'malformed', message: 'The upstream answered without JSON.' })
