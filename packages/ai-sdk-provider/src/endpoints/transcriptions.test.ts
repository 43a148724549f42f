import type { TranscriptionModelV2, TranscriptionModelV4, TranscriptionModelV4CallOptions } from '@ai-sdk/provider'
import OpenAI, { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import { context, failureOf } from '../../../gateway-core/tests/provider-calls.ts'
import { serveGateway } from '../../../gateway-core/tests/serve-gateway.ts'
import { type AiSdkProviderOptions, aiSdkProvider } from '../ai-sdk-provider.ts'

const transcript = {
  text: 'Hello there.',
  segments: [
    { text: ' Hello', startSecond: 0, endSecond: 0.5 },
    { text: ' there.', startSecond: 0.5, endSecond: 3661.25 },
  ],
  language: 'en',
  durationInSeconds: 3661.25,
  warnings: [],
  response: { timestamp: new Date(0), modelId: 'fake-1' },
}

function v4(result: object = {}) {
  const calls: TranscriptionModelV4CallOptions[] = []
  const model: TranscriptionModelV4 = {
    specificationVersion: 'v4',
    provider: 'fake',
    modelId: 'fake-1',
    doGenerate: async (options) => {
      calls.push(options)
      return { ...transcript, ...result }
    },
  }
  return { model, calls }
}

const v2: TranscriptionModelV2 = {
  specificationVersion: 'v2',
  provider: 'fake',
  modelId: 'fake-1',
  doGenerate: async () => transcript,
}

async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000)
}

async function transcribe(
  model: TranscriptionModelV4 | TranscriptionModelV2,
  fields: Readonly<Record<string, string>> = {},
  { options = {}, file = new File(['abc'], 'a.mp3') }: { options?: Partial<AiSdkProviderOptions>; file?: File } = {},
) {
  const { endpoints } = aiSdkProvider({ id: 'sdk', transcriptionModels: { m: model }, ...options })
  if (!endpoints) throw new Error('It has no endpoints')
  const form = new FormData()
  form.set('file', file)
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const response = new Response(form)
  const contentType = response.headers.get('content-type') ?? ''
  const answer = await endpoints.send(
    {
      endpoint: 'transcriptions',
      method: 'POST',
      suffix: '',
      model: 'm',
      body: { contentType, content: bytesOf(response) },
      accept: '*/*',
      headers: {},
      streamed: true,
    },
    context(),
  )
  if (answer.kind !== 'whole') throw new Error('It is a stream')
  return { contentType: answer.contentType, text: new TextDecoder().decode(answer.bytes) }
}

describe('transcriptions of aiSdkProvider', () => {
  it('serves the client of OpenAI through the gateway', async () => {
    const { model, calls } = v4()
    const { gateway, url } = await serveGateway('fetch', {
      providers: [aiSdkProvider({ id: 'sdk', transcriptionModels: { m: model } })],
    })
    const { secret } = (await gateway.apiKeys.generate({ username: 'ada' }))._unsafeUnwrap()
    const client = new OpenAI({ apiKey: secret, baseURL: `${url}/v1`, maxRetries: 0 })
    const file = await toFile(Buffer.alloc(300_000, 'a'), 'speech.mp3', { type: 'audio/mpeg' })
    const answer = await client.audio.transcriptions.create({ file, model: 'sdk/m' })
    expect(answer).toEqual({ text: 'Hello there.', usage: { type: 'duration', seconds: 3661.25 } })
    expect(calls).toMatchObject([{ mediaType: 'audio/mpeg', audio: { length: 300_000 } }])
    const translation = client.audio.translations.create({ file, model: 'sdk/m' })
    await expect(translation).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['text', 'text/plain; charset=utf-8', 'Hello there.\n'],
    [
      'srt',
      'text/plain; charset=utf-8',
      '1\n00:00:00,000 --> 00:00:00,500\nHello\n\n2\n00:00:00,500 --> 01:01:01,250\nthere.\n\n',
    ],
    [
      'vtt',
      'text/plain; charset=utf-8',
      'WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nHello\n\n00:00:00.500 --> 01:01:01.250\nthere.\n\n',
    ],
  ])('writes them as %s', async (format, contentType, text) => {
    expect(await transcribe(v2, { response_format: format })).toEqual({ contentType, text })
  })

  it('returns times of segments and words where the client requests them', async () => {
    const { model, calls } = v4({ words: [{ text: 'Hello', startSecond: 0, endSecond: 0.5 }] })
    const { text } = await transcribe(model, { response_format: 'verbose_json', 'timestamp_granularities[]': 'word' })
    expect(calls).toMatchObject([{ timestampGranularities: ['word'], mediaType: 'audio/mpeg' }])
    expect(JSON.parse(text)).toMatchObject({
      task: 'transcribe',
      language: 'en',
      duration: 3661.25,
      words: [{ word: 'Hello', start: 0, end: 0.5 }],
      segments: [
        { id: 0, start: 0, end: 0.5, text: ' Hello' },
        { id: 1, start: 0.5, end: 3661.25, text: ' there.' },
      ],
    })
  })

  it('reports the usage of the model before its duration', async () => {
    const usage = { type: 'tokens', input_tokens: 14, output_tokens: 3, total_tokens: 17 }
    expect(JSON.parse((await transcribe(v4({ usage }).model)).text)).toEqual({ text: 'Hello there.', usage })
  })

  it.each([
    ['language', 'de'],
    ['prompt', 'Names'],
    ['temperature', '0.5'],
  ])('refuses %s, unless the host has options for it', async (name, value) => {
    const { model, calls } = v4()
    expect(await failureOf(transcribe(model, { [name]: value }))).toMatchObject({ type: 'unsupported', param: name })
    const texts = (fields: object) => Object.entries(fields).map(([field, text]) => [field, String(text)])
    const providerOptions = (fields: object) => ({ fake: Object.fromEntries(texts(fields)) })
    await transcribe(model, { [name]: value }, { options: { providerOptions } })
    expect(calls).toMatchObject([{ providerOptions: { fake: { [name]: value } } }])
  })

  it('takes a temperature of 0, which is the default', async () => {
    await expect(transcribe(v2, { temperature: '0' })).resolves.toMatchObject({ contentType: 'application/json' })
  })

  it.each([
    [{ stream: 'true' }, 'stream'],
    [{ response_format: 'diarized_json' }, 'response_format'],
    [{ 'timestamp_granularities[]': 'word' }, 'timestamp_granularities'],
  ])('refuses %j', async (fields, param) => {
    expect(await failureOf(transcribe(v2, fields))).toMatchObject({ type: 'unsupported', param })
  })

  it('refuses subtitles of a model without times, and audio beyond 25 MiB', async () => {
    const { model } = v4({ segments: [] })
    expect(await failureOf(transcribe(model, { response_format: 'srt' }))).toMatchObject({ param: 'response_format' })
    const file = new File([new Uint8Array(25 * 2 ** 20)], 'a.wav')
    expect(await failureOf(transcribe(model, {}, { file }))).toMatchObject({ status: 413, param: 'file' })
  })
})
