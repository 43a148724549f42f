import type {
  LanguageModelV2,
  LanguageModelV2StreamPart,
  LanguageModelV3,
  LanguageModelV3StreamPart,
  LanguageModelV4,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { CallOptions } from './requests/call-options.ts'
import { v2CallOptions, v3CallOptions } from './requests/earlier-specification.ts'

/** A language model object of the AI SDK, distinguished by its `specificationVersion`. */
export type AiSdkLanguageModel = LanguageModelV4 | LanguageModelV3 | LanguageModelV2

export type GenerateResult = Awaited<ReturnType<AiSdkLanguageModel['doGenerate']>>
export type StreamPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart | LanguageModelV2StreamPart

export interface StreamResult {
  readonly stream: ReadableStream<StreamPart>
  readonly response?: { readonly headers?: Readonly<Record<string, string>> }
}

export async function generateWith(model: AiSdkLanguageModel, options: CallOptions): Promise<GenerateResult> {
  switch (model.specificationVersion) {
    case 'v4':
      return model.doGenerate(options)
    case 'v3':
      return model.doGenerate(v3CallOptions(options))
    case 'v2':
      return model.doGenerate(v2CallOptions(options))
  }
}

export async function streamWith(model: AiSdkLanguageModel, options: CallOptions): Promise<StreamResult> {
  switch (model.specificationVersion) {
    case 'v4':
      return model.doStream(options)
    case 'v3':
      return model.doStream(v3CallOptions(options))
    case 'v2':
      return model.doStream(v2CallOptions(options))
  }
}
