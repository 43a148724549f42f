import type { ChatStream, JsonObject, SearchEngine, SearchQuery } from '@trivium/gateway-core/ports'
import { type FakeProvider, type FakeProviderOptions, fakeProvider, textStream } from './fake-provider.ts'

/** One answer of a model. */
export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
}

/** The messages and tools that the model got. */
export interface AskedModel {
  readonly messages: readonly JsonObject[]
  readonly tools?: readonly JsonObject[]
  readonly tool_choice?: unknown
}

/** Returns a call of the search. */
export const searchFor = (query: unknown) => ({ name: 'web_search', input: { query } })

/** A chat upstream without web search, whose model answers as the test configures it. Each answer uses 10 + 5 tokens. */
export function searchingModel(
  answerOf: (round: number, asked: AskedModel) => ModelAnswer,
  options: FakeProviderOptions = {},
): FakeProvider & { readonly asked: readonly AskedModel[] } {
  const asked: AskedModel[] = []
  const next = (sent: Uint8Array): { readonly round: number; readonly answer: ModelAnswer } => {
    const body: AskedModel = JSON.parse(new TextDecoder().decode(sent))
    asked.push(body)
    return { round: asked.length, answer: answerOf(asked.length, body) }
  }
  const provider = fakeProvider({
    complete: (request) => {
      const { round, answer } = next(request.encode())
      const completion = completionOf(round, answer)
      return { kind: 'encoded', bytes: new TextEncoder().encode(JSON.stringify(completion)), completion }
    },
    stream: (request) => {
      const { round, answer } = next(request.encode())
      return streamOf(round, answer)
    },
    ...options,
  })
  return Object.assign(provider, { asked })
}

const toolCalls = (round: number, { calls = [] }: ModelAnswer) =>
  calls.map(({ name, input }, index) => ({
    index,
    id: `call_${round}_${index}`,
    type: 'function' as const,
    function: { name, arguments: typeof input === 'string' ? input : JSON.stringify(input) },
  }))

const reasonOf = ({ calls = [] }: ModelAnswer): 'tool_calls' | 'stop' => (calls.length > 0 ? 'tool_calls' : 'stop')

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

const headOf = (round: number) => ({ id: `chatcmpl-${round}`, created: 1_700_000_000, model: 'big-2026' })

function completionOf(round: number, answer: ModelAnswer) {
  const calls = toolCalls(round, answer)
  const message = { role: 'assistant' as const, content: answer.text ?? null, refusal: null }
  return {
    ...headOf(round),
    object: 'chat.completion' as const,
    choices: [
      {
        index: 0,
        message: { ...message, ...(calls.length > 0 ? { tool_calls: calls } : {}) },
        finish_reason: reasonOf(answer),
      },
    ],
    usage,
  }
}

function streamOf(round: number, answer: ModelAnswer): ChatStream {
  const chunk = (delta: unknown, reason: string | null = null) => ({
    ...headOf(round),
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const pieces = (answer.text ?? '').match(/[\s\S]{1,7}/g) ?? []
  const chunks = [
    ...pieces.map((content) => chunk({ content })),
    ...toolCalls(round, answer).map((call) => chunk({ tool_calls: [call] })),
    chunk({}, reasonOf(answer)),
    { ...headOf(round), object: 'chat.completion.chunk', choices: [], usage },
  ]
  return textStream(...chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`), 'data: [DONE]\n\n')
}

export const pages = [
  { title: 'Switches', href: 'https://example.com/switches', body: 'Switches learn addresses.' },
  { title: 'Routers', href: 'https://docs.example.org/routers', body: 'Routers forward packets.' },
]

/** An engine that finds `pages`, and records its queries. */
export function pagesEngine(
  search: SearchEngine['search'] = async () => ({ type: 'text', results: pages }),
): SearchEngine & { readonly queries: readonly SearchQuery[] } {
  const queries: SearchQuery[] = []
  return {
    id: 'pages',
    types: new Set(['text']),
    queries,
    search: (query, context) => {
      queries.push(query)
      return search(query, context)
    },
  }
}
