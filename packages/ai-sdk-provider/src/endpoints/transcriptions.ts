import type { TranscriptionModelV2, TranscriptionModelV3, TranscriptionModelV4 } from '@ai-sdk/provider'
import {
  type EndpointBody,
  type JsonObject,
  type ProviderContext,
  unsupportedParameter,
} from '@trivium/gateway-core/ports'
import type { ProviderOptions } from '../requests/call-options.ts'
import { formats, type Transcript } from './transcript.ts'
import { readTranscriptionForm, type TranscriptionForm } from './transcription-form.ts'

/** A transcription model object of the AI SDK, distinguished by its `specificationVersion`. */
export type AiSdkTranscriptionModel = TranscriptionModelV4 | TranscriptionModelV3 | TranscriptionModelV2

/** A transcript in the form that the client selected. */
export interface Transcription {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** What the AI SDK has no parameter for. The host's options can have them under the names of the model's provider. */
const forHost = ['language', 'prompt', 'temperature', 'chunking_strategy', 'hotwords'] as const

/** Transcribes the audio of a form. @throws ProviderFailure for what the AI SDK does not have */
export async function transcribeWith(
  model: AiSdkTranscriptionModel,
  body: EndpointBody | undefined,
  context: ProviderContext,
  optionsFor: ((fields: JsonObject) => ProviderOptions) | undefined,
): Promise<Transcription> {
  const form = await readTranscriptionForm(body)
  const { response_format: format = 'json' } = form.fields
  const write = Object.hasOwn(formats, format) ? formats[format] : undefined
  if (!write) throw unsupportedParameter('response_format', `The AI SDK has no transcripts in the form '${format}'.`)
  if (form.fields.stream === 'true') throw unsupportedParameter('stream', 'The model returns whole transcripts only.')
  const providerOptions = optionsFor?.(form.fields) ?? {}
  checkFields(form.fields, Object.keys(providerOptions).length > 0)
  const transcript = await transcribe(model, form, context, providerOptions)
  if ((format === 'srt' || format === 'vtt') && transcript.segments.length === 0 && transcript.text !== '') {
    throw unsupportedParameter('response_format', 'The model returns no times, which subtitles need.')
  }
  return {
    bytes: new TextEncoder().encode(write(transcript)),
    contentType: format.endsWith('json') ? 'application/json' : 'text/plain; charset=utf-8',
  }
}

function checkFields(fields: Readonly<Record<string, string>>, hasOptions: boolean): void {
  for (const name of forHost) {
    const value = fields[name] ?? ''
    const isDefault = value === '' || (name === 'temperature' && Number(value) === 0)
    if (!isDefault && !hasOptions) throw unsupportedParameter(name, `Transcriptions of the AI SDK have no '${name}'.`)
  }
}

async function transcribe(
  model: AiSdkTranscriptionModel,
  { audio, mediaType, granularities }: TranscriptionForm,
  { signal, headers }: ProviderContext,
  providerOptions: ProviderOptions,
): Promise<Transcript> {
  const options = { audio, mediaType, abortSignal: signal, headers: { ...headers }, providerOptions }
  const requested = (['word', 'segment'] as const).filter((name) => granularities.includes(name))
  if (model.specificationVersion === 'v4') {
    return model.doGenerate({ ...options, ...(requested.length > 0 ? { timestampGranularities: requested } : {}) })
  }
  if (requested.includes('word')) {
    throw unsupportedParameter('timestamp_granularities', 'The model has no times of words.')
  }
  return model.specificationVersion === 'v3' ? model.doGenerate(options) : model.doGenerate(options)
}
