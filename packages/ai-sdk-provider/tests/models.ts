import type {
  LanguageModelV2,
  LanguageModelV2StreamPart,
  LanguageModelV3,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'

type Generated<Model extends { doGenerate: (...parameters: never[]) => unknown }> = Awaited<
  ReturnType<Model['doGenerate']>
>

const common = { provider: 'fake', modelId: 'fake-1', supportedUrls: {} }

export function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** Creates a model that records its calls. */
export function v4Model(
  answer: {
    readonly result?: Partial<LanguageModelV4GenerateResult>
    readonly parts?: readonly LanguageModelV4StreamPart[]
    readonly stream?: ReadableStream<LanguageModelV4StreamPart>
    readonly fails?: unknown
  } = {},
): LanguageModelV4 & { readonly calls: readonly LanguageModelV4CallOptions[] } {
  const calls: LanguageModelV4CallOptions[] = []
  const called = (options: LanguageModelV4CallOptions) => {
    calls.push(options)
    if (answer.fails !== undefined) throw answer.fails
  }
  return {
    ...common,
    specificationVersion: 'v4',
    calls,
    doGenerate: async (options) => {
      called(options)
      return { ...v4Result, ...answer.result }
    },
    doStream: async (options) => {
      called(options)
      return { stream: answer.stream ?? streamOf(answer.parts ?? []) }
    },
  }
}

export const v4Usage = {
  inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 3, text: 2, reasoning: 1 },
}

const v4Result: LanguageModelV4GenerateResult = {
  content: [{ type: 'text', text: 'Hello' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: v4Usage,
  warnings: [],
}

export function v3Model(
  parts: readonly LanguageModelV3StreamPart[],
): LanguageModelV3 & { readonly calls: Parameters<LanguageModelV3['doGenerate']>[0][] } {
  const calls: Parameters<LanguageModelV3['doGenerate']>[0][] = []
  const result: Generated<LanguageModelV3> = {
    content: [{ type: 'text', text: 'Hello' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: v4Usage,
    warnings: [],
  }
  return {
    ...common,
    specificationVersion: 'v3',
    calls,
    doGenerate: async (options) => {
      calls.push(options)
      return result
    },
    doStream: async (options) => {
      calls.push(options)
      return { stream: streamOf(parts) }
    },
  }
}

export function v2Model(
  parts: readonly LanguageModelV2StreamPart[],
): LanguageModelV2 & { readonly calls: Parameters<LanguageModelV2['doGenerate']>[0][] } {
  const calls: Parameters<LanguageModelV2['doGenerate']>[0][] = []
  const result: Generated<LanguageModelV2> = {
    content: [{ type: 'text', text: 'Hello' }],
    finishReason: 'length',
    usage: { inputTokens: 9, outputTokens: 3, totalTokens: 12, reasoningTokens: 1, cachedInputTokens: 4 },
    warnings: [],
  }
  return {
    ...common,
    specificationVersion: 'v2',
    calls,
    doGenerate: async (options) => {
      calls.push(options)
      return result
    },
    doStream: async (options) => {
      calls.push(options)
      return { stream: streamOf(parts) }
    },
  }
}
