import type { SpeechModelV2, SpeechModelV3, SpeechModelV4 } from '@ai-sdk/provider'
import { type JsonObject, type ProviderContext, unsupportedParameter } from '@trivium/gateway-core/ports'
import { objectOr, textOr } from '@trivium/provider-kit/answers'
import type { ProviderOptions } from '../requests/call-options.ts'

/** A speech model object of the AI SDK, distinguished by its `specificationVersion`. */
export type AiSdkSpeechModel = SpeechModelV4 | SpeechModelV3 | SpeechModelV2

/** The bytes of speech, with their content type. */
export interface Speech {
  readonly bytes: Uint8Array
  readonly contentType: string
}

const contentTypes: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

/** Creates speech, which is complete when it is returned. @throws ProviderFailure for `stream_format: 'sse'` */
export async function speakWith(
  model: AiSdkSpeechModel,
  body: JsonObject,
  { signal, headers }: ProviderContext,
  providerOptions: ProviderOptions = {},
): Promise<Speech> {
  if (body.stream_format === 'sse') {
    throw unsupportedParameter('stream_format', 'The model returns no events. Use audio.')
  }
  const format = textOr(body.response_format, 'mp3')
  const voice = textOr(body.voice, textOr(objectOr(body.voice).id))
  const { audio } = await model.doGenerate({
    text: textOr(body.input),
    outputFormat: format,
    ...(voice === '' ? {} : { voice }),
    ...(typeof body.instructions === 'string' ? { instructions: body.instructions } : {}),
    ...(typeof body.speed === 'number' ? { speed: body.speed } : {}),
    abortSignal: signal,
    headers: { ...headers },
    providerOptions,
  })
  return {
    bytes: typeof audio === 'string' ? new Uint8Array(Buffer.from(audio, 'base64')) : audio,
    contentType: (Object.hasOwn(contentTypes, format) ? contentTypes[format] : undefined) ?? 'application/octet-stream',
  }
}
