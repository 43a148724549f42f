import type { ChatStream, JsonObject, ProviderContext, SearchEngine, SearchQuery } from '@trivium/gateway-core/ports'
import { type FakeProvider, type FakeProviderOptions, fakeProvider, textStream } from './fake-provider.ts'

/** One answer of a model. */
export interface ModelAnswer {
  readonly text?: string
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[]
  /** `null`: none is reported. @default 10 + 5 tokens */
  readonly usage?: ReturnType<typeof usageOf> | null
  /** A stream that ends before its last events. */
  readonly isCut?: boolean
}

/** The messages and tools that the model got. */
export interface AskedModel {
  readonly messages: readonly JsonObject[]
  readonly tools?: readonly JsonObject[]
  readonly tool_choice?: unknown
}

/** Returns a call of the search. */
export const searchFor = (query: unknown) => ({ name: 'web_search', input: { query } })

/** A chat upstream without web search, whose model answers as the test configures it. */
export function searchingModel(
  answerOf: (round: number, asked: AskedModel, context: ProviderContext) => ModelAnswer | Promise<ModelAnswer>,
  options: FakeProviderOptions = {},
): FakeProvider & { readonly asked: readonly AskedModel[] } {
  const asked: AskedModel[] = []
  const next = async (sent: Uint8Array, context: ProviderContext) => {
    const body: AskedModel = JSON.parse(new TextDecoder().decode(sent))
    asked.push(body)
    const round = asked.length
    return { round, answer: await answerOf(round, body, context) }
  }
  const provider = fakeProvider({
    complete: async (request, context) => {
      const { round, answer } = await next(request.encode(), context)
      const completion = completionOf(round, answer)
      return { kind: 'encoded', bytes: new TextEncoder().encode(JSON.stringify(completion)), completion }
    },
    stream: async (request, context) => {
      const { round, answer } = await next(request.encode(), context)
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

/** The usage of an answer. */
export const usageOf = (input: number, output: number) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

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
    ...(answer.usage !== null && { usage: answer.usage ?? usageOf(10, 5) }),
  }
}

function streamOf(round: number, answer: ModelAnswer): ChatStream {
  const chunk = (delta: unknown, reason: string | null = null) => ({
    ...headOf(round),
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const pieces = (answer.text ?? '').match(/[\s\S]{1,7}/g) ?? []
  const { usage = usageOf(10, 5), isCut = false } = answer
  const chunks = [
    ...pieces.map((content) => chunk({ content })),
    ...toolCalls(round, answer).map((call) => chunk({ tool_calls: [call] })),
    ...(isCut ? [] : [chunk({}, reasonOf(answer))]),
    ...(isCut || usage === null ? [] : [{ ...headOf(round), object: 'chat.completion.chunk', choices: [], usage }]),
  ]
  const events = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`)
  return textStream(...events, ...(isCut ? [] : ['data: [DONE]\n\n']))
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
