import { type ChatCompletion, type Provider, ProviderFailure } from '@trivium/gateway-core/ports'
import { answerKind, createUpstream, readAnswer, type UpstreamAnswer } from '@trivium/provider-kit'
import { isObject, objectOr, parseJson } from '@trivium/provider-kit/answers'

/** Creates a minimal provider that relays OpenAI's format, to test the kit. */
export function relayProvider(origin: string, maxAnswerBytes: number): Provider {
  const upstream = createUpstream({
    baseUrl: `${origin}/v1`,
    headers: { authorization: 'Bearer k' },
    errorIn: (body) => objectOr(objectOr(body).error),
    maxAnswerBytes,
  })
  const path = '/chat/completions'

  async function whole(answer: UpstreamAnswer) {
    const bytes = await readAnswer(answer)
    const completion = parseJson(new TextDecoder().decode(bytes))
    if (isCompletion(completion)) return { bytes, completion, headers: answer.headers }
    throw new ProviderFailure({ type: 'malformed', message: 'The upstream answered without a completion.' })
  }

  return {
    id: 'up',
    models: async () => [{ id: 'big', kind: 'chat', ownedBy: 'up', created: 0 }],
    chat: {
      complete: async (request, context) => ({
        kind: 'encoded',
        ...(await whole(await upstream.ask({ path, body: request.encode() }, context))),
      }),
      stream: async (request, context) => {
        const answer = await upstream.ask({ path, body: request.encode(), accept: 'text/event-stream' }, context)
        if ((await answerKind(answer)) !== 'events') return { kind: 'completion', ...(await whole(answer)) }
        return { kind: 'encoded', start: answer.start, headers: answer.headers, secrets: upstream.secrets }
      },
    },
    close: () => upstream.close(),
  }
}

const isCompletion = (value: unknown): value is ChatCompletion =>
  isObject(value) &&
  Array.isArray(value.choices) &&
  value.choices.every((choice) => isObject(choice) && isObject(choice.message))
