import { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import { ADMIN, expectFailure, openGateway } from './open-gateway.ts'
import { transports } from './serve-gateway.ts'
import {
  answerEvents,
  answerJson,
  formOf,
  type SeenForm,
  startUploads,
  startUpstream,
  upstreamProvider,
} from './upload-gateway.ts'

const audio = () => toFile(Buffer.alloc(300_000, 'a'), 'speech.mp3', { type: 'audio/mpeg' })
const picture = (name: string) => toFile(Buffer.from('89504e470d0a1a0a', 'hex'), name, { type: 'image/png' })

const transcription = {
  text: 'Hello',
  usage: { type: 'tokens', input_tokens: 14, output_tokens: 45, total_tokens: 59 },
}

describe.each(transports)('the openai client over %s', (transport) => {
  it.each(['before', 'after'])('transcribes a file that is sent %s the model', async (place) => {
    const seen: SeenForm[] = []
    const { client, record } = await startUploads(async (incoming, response) => {
      seen.push(await formOf(incoming))
      answerJson(response, transcription)
    }, transport)
    const file = await audio()
    const model = 'up/gpt-4o-transcribe'
    const language = 'en'
    const answer = await client.audio.transcriptions.create(
      place === 'before' ? { file, model, language } : { model, language, file },
    )
    expect(answer).toEqual(transcription)
    expect(seen).toEqual([
      {
        path: '/v1/audio/transcriptions',
        fields: { model: 'gpt-4o-transcribe', language: 'en' },
        files: [['file', 'speech.mp3', 300_000]],
      },
    ])
    expect(await record).toMatchObject({
      operation: 'audio',
      model: 'up/gpt-4o-transcribe',
      provider: 'up',
      status: 200,
      inputTokens: 14,
      outputTokens: 45,
    })
  })

  it('transcribes a stream, whose file is sent before or after the field that asks for it', async () => {
    const { client, record } = await startUploads(async (incoming, response) => {
      const { fields } = await formOf(incoming)
      expect(fields).toMatchObject({ stream: 'true', 'timestamp_granularities[]': 'word' })
      answerEvents(
        response,
        { type: 'transcript.text.delta', delta: 'Hel' } as const,
        { type: 'transcript.text.delta', delta: 'lo' } as const,
        { type: 'transcript.text.done', ...transcription } as const,
      )
      response.end()
    }, transport)
    const file = await audio()
    const model = 'up/gpt-4o-transcribe'
    const timestamps: ('word' | 'segment')[] = ['word']
    const more = { stream: true, timestamp_granularities: timestamps } as const
    for (const request of [
      { file, model, ...more },
      { model, file, ...more },
      { model, ...more, file },
    ]) {
      const events: unknown[] = []
      for await (const event of await client.audio.transcriptions.create(request)) events.push(event)
      expect(events).toHaveLength(3)
    }
    expect(await record).toMatchObject({ status: 200, inputTokens: 14, outputTokens: 45 })
  })

  it.each([
    ['text', 'text/plain; charset=utf-8', 'Hello\n'],
    ['srt', 'application/x-subrip', '1\n00:00:00,000 --> 00:00:01,000\nHello\n'],
    ['vtt', 'text/vtt', 'WEBVTT\n'],
  ] as const)('translates to %s, with the content type of the upstream', async (format, type, text) => {
    const { client } = await startUploads(async (incoming, response) => {
      expect((await formOf(incoming)).fields).toEqual({ model: 'whisper-1', response_format: format })
      response.writeHead(200, { 'content-type': type })
      response.end(text)
    }, transport)
    for (const file of [await audio()]) {
      const request = client.audio.translations.create({ file, model: 'up/whisper-1', response_format: format })
      const { data, response } = await request.withResponse()
      expect([data, response.headers.get('content-type')]).toEqual([text, type])
    }
  })

  it('edits images by a form', async () => {
    const seen: SeenForm[] = []
    const { client, record } = await startUploads(async (incoming, response) => {
      seen.push(await formOf(incoming))
      answerJson(response, { created: 1, data: [{ b64_json: 'iVBO' }], usage: { input_tokens: 3, output_tokens: 4 } })
    }, transport)
    const image = await Promise.all([picture('a.png'), picture('b.png')])
    const answer = await client.images.edit({
      image,
      mask: await picture('m.png'),
      prompt: 'A hat',
      model: 'up/gpt-image-1',
    })
    expect(answer.data).toEqual([{ b64_json: 'iVBO' }])
    expect(seen).toMatchObject([{ path: '/v1/images/edits', fields: { model: 'gpt-image-1', prompt: 'A hat' } }])
    expect(seen[0]?.files.map(([, name]) => name).sort()).toEqual(['a.png', 'b.png', 'm.png'])
    expect(await record).toMatchObject({ operation: 'image', images: 1, inputTokens: 3, outputTokens: 4 })
  })

  it('edits images as a stream', async () => {
    const { client, record } = await startUploads(async (incoming, response) => {
      await formOf(incoming)
      answerEvents(
        response,
        { type: 'image_edit.partial_image', b64_json: 'iV', partial_image_index: 0 } as const,
        {
          type: 'image_edit.completed',
          b64_json: 'iVBO',
          usage: { input_tokens: 3, output_tokens: 4, total_tokens: 7 },
        } as const,
      )
      response.end()
    }, transport)
    const image = await picture('a.png')
    const model = 'up/gpt-image-1'
    const events: string[] = []
    const stream = await client.images.edit({ model, image, prompt: 'A hat', stream: true, partial_images: 1 })
    for await (const { type } of stream) events.push(type)
    expect(events).toEqual(['image_edit.partial_image', 'image_edit.completed'])
    expect(await record).toMatchObject({ images: 1, inputTokens: 3, outputTokens: 4, status: 200 })
  })

  it('creates variations of an image', async () => {
    const { client } = await startUploads(async (incoming, response) => {
      expect(await formOf(incoming)).toMatchObject({ path: '/v1/images/variations', fields: { model: 'dall-e-2' } })
      answerJson(response, { created: 1, data: [{ b64_json: 'iVBO' }] })
    }, transport)
    const answer = await client.images.createVariation({ image: await picture('a.png'), model: 'up/dall-e-2' })
    expect(answer.data).toHaveLength(1)
  })
})

const BOUNDARY = 'boundary'
const multipart = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }
const field = (name: string, value: string, filename?: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${
    filename === undefined ? '' : `; filename="${filename}"`
  }\r\n\r\n${value}\r\n`
const form = (...fields: readonly string[]) => `${fields.join('')}--${BOUNDARY}--\r\n`
const file = (bytes = 10) => field('file', 'x'.repeat(bytes), 'a.wav')

const path = '/v1/audio/transcriptions'

describe('uploads', () => {
  const MEBIBYTE = 2 ** 20
  /** A form of 200 MiB whose model comes first, and how much of it was read. */
  function largeForm(size = 200 * MEBIBYTE) {
    const head = Buffer.from(`${field('model', 'up/whisper-1')}${field('file', '', 'a.wav').slice(0, -2)}`)
    const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
    const state = { pulled: 0, isCancelled: false }
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          if (state.pulled === 0) controller.enqueue(head)
          state.pulled += MEBIBYTE
          controller.enqueue(Buffer.alloc(MEBIBYTE))
          if (state.pulled < size) return
          controller.enqueue(tail)
          controller.close()
        },
        cancel: () => {
          state.isCancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    return { body, state }
  }

  it('pause the client for a slow upstream, and collect nothing', async () => {
    let begun: (incoming: AsyncIterable<Buffer>) => void = () => undefined
    const arrived = new Promise<AsyncIterable<Buffer>>((resolve) => {
      begun = resolve
    })
    let received = 0
    const origin = await startUpstream(async (incoming, response) => {
      begun(incoming)
      incoming.on('end', () => answerJson(response, { text: String(received) }))
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    const { body, state } = largeForm()
    const answered = open.send(path, { as: secret, headers: multipart, body })
    const incoming = await arrived
    await quiet(() => state.pulled)
    // The rest of what was pulled is in the buffers of the connection.
    expect(state.pulled).toBeLessThan(32 * MEBIBYTE)
    for await (const chunk of incoming) received += chunk.length
    const response = await answered
    expect([response.status, state.pulled]).toEqual([200, 200 * MEBIBYTE])
    expect(received).toBeGreaterThan(200 * MEBIBYTE)
  })

  it('cancel the request to the upstream when the client disconnects', async () => {
    let closed: () => void = () => undefined
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve
    })
    const controller = new AbortController()
    const origin = await startUpstream((incoming) => {
      incoming.on('error', () => undefined)
      incoming.on('close', closed)
      incoming.on('data', () => controller.abort())
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    const { body } = largeForm()
    const { signal } = controller
    void open.send(path, { as: secret, headers: multipart, body, signal }).catch(() => undefined)
    await isClosed
    await expect.poll(() => open.records).toMatchObject([{ status: 499 }])
    expect(open.faults).toEqual([])
  })

  it('get a 413 when they exceed the limit while the upstream reads', async () => {
    const origin = await startUpstream((incoming) => {
      incoming.on('error', () => undefined)
      incoming.resume()
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    const { body } = largeForm(600 * MEBIBYTE)
    const response = await open.send(path, { as: secret, headers: multipart, body })
    await expectFailure(response, 413, { code: 'request_too_large' })
    expect(open.faults).toEqual([])
  })

  it('wait for the check of the key before they are read', async () => {
    const open = openGateway()
    const { body, state } = largeForm()
    await expectFailure(await open.send(path, { as: 'tv-wrong', headers: multipart, body }), 401, {})
    expect(state.pulled).toBe(0)
  })

  it.each([
    [form(field('model', 'up/whisper-1'), file()).slice(0, -9), null],
    [`${file(26 * MEBIBYTE)}${field('model', 'up/whisper-1')}`, 'model'],
    [form(file()), 'model'],
    [form(field('model', ''), file()), 'model'],
    ['{"model":"up/whisper-1"}', null],
    ['', null],
  ])('get a 400 where the form is not usable, number %$', async (body, param) => {
    const origin = await startUpstream((incoming) => {
      incoming.on('error', () => undefined)
      incoming.resume()
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    await expectFailure(await open.send(path, { as: secret, headers: multipart, body, method: 'POST' }), 400, { param })
    expect(open.faults).toEqual([])
  })

  it.each([
    'application/json',
    'text/plain',
    'multipart/form-data',
    'multipart/form-data; boundary="\u00e4"',
  ])('get a 400 with the content type %s', async (type) => {
    const open = openGateway()
    const { secret } = await open.key()
    const response = await open.send(path, { as: secret, headers: { 'content-type': type }, body: '{}' })
    await expectFailure(response, 400, { type: 'invalid_request_error' })
  })

  it('take the model from the query, so that a long file can come first', async () => {
    const seen: SeenForm[] = []
    const origin = await startUpstream(async (incoming, response) => {
      seen.push(await formOf(incoming))
      answerJson(response, transcription)
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    const body = form(file(26 * MEBIBYTE), field('model', 'other'), field('language', 'de'))
    const response = await open.send(`${path}?model=up/whisper-1`, { as: secret, headers: multipart, body })
    expect(response.status).toBe(200)
    expect(seen).toMatchObject([
      { fields: { model: 'whisper-1', language: 'de' }, files: [['file', 'a.wav', 26 * MEBIBYTE]] },
    ])
  })

  const pair = async (failing: Parameters<typeof startUpstream>[0]) => {
    const seen: SeenForm[] = []
    const second = await startUpstream(async (incoming, response) => {
      seen.push(await formOf(incoming))
      answerJson(response, transcription)
    })
    const open = openGateway({
      providers: [upstreamProvider(await startUpstream(failing), 'one'), upstreamProvider(second, 'two')],
      models: { whisper: { targets: [{ model: 'one/whisper-1' }], fallbacks: ['two/gpt-4o-transcribe'] } },
      retries: { retries: 0 },
    })
    return { open, seen, secret: (await open.key()).secret }
  }

  it('reach the next upstream while the gateway holds all of them', async () => {
    const { open, seen, secret } = await pair(async (incoming, response) => {
      await formOf(incoming)
      answerJson(response, { error: { message: 'down' } }, 503)
    })
    const body = form(file(), field('model', 'whisper'))
    expect((await open.send(path, { as: secret, headers: multipart, body })).status).toBe(200)
    expect(seen).toMatchObject([{ fields: { model: 'gpt-4o-transcribe' }, files: [['file', 'a.wav', 10]] }])
  })

  it.each(['1', 'True', 'false', undefined])('count the tokens of events where stream is %s', async (stream) => {
    const origin = await startUpstream(async (incoming, response) => {
      await formOf(incoming)
      answerEvents(response, { type: 'transcript.text.done', ...transcription } as const)
      response.end()
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    const asked = stream === undefined ? '' : field('stream', stream)
    const body = form(asked, file(), field('model', 'up/whisper-1'))
    const response = await open.send(path, { as: secret, headers: multipart, body })
    expect(await response.text()).toContain('transcript.text.done')
    expect(open.records).toMatchObject([{ status: 200, inputTokens: 14, outputTokens: 45, estimated: false }])
  })

  it('reach no other upstream after a part was passed on', async () => {
    const { open, seen, secret } = await pair(async (incoming, response) => {
      await formOf(incoming)
      answerJson(response, { error: { message: 'down' } }, 503)
    })
    const body = new Blob([field('model', 'whisper'), file(MEBIBYTE), `--${BOUNDARY}--\r\n`]).stream()
    expect((await open.send(path, { as: secret, headers: multipart, body })).ok).toBe(false)
    expect(seen).toEqual([])
  })
})

describe('edits of images by JSON', () => {
  const edit = { model: 'up/gpt-image-1', prompt: 'A hat', images: [{ image_url: 'https://example.com/a.png' }] }

  it('pass the body on with the model of the upstream', async () => {
    const bodies: unknown[] = []
    const origin = await startUpstream(async (incoming, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      bodies.push(JSON.parse(Buffer.concat(chunks).toString()))
      answerJson(response, { created: 1, data: [{ b64_json: 'iVBO' }] })
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    const headers = { 'content-type': 'application/json' }
    const response = await open.send('/v1/images/edits', { as: secret, headers, body: edit })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(bodies).toEqual([{ ...edit, model: 'gpt-image-1' }])
  })

  it.each([true, 1, 'true'])('count the tokens of events where stream is %j', async (stream) => {
    const origin = await startUpstream((incoming, response) => {
      incoming.resume()
      answerEvents(response, { type: 'image_edit.completed', usage: { input_tokens: 3, output_tokens: 4 } } as const)
      response.end()
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const { secret } = await open.key()
    const headers = { 'content-type': 'application/json' }
    const response = await open.send('/v1/images/edits', { as: secret, headers, body: { ...edit, stream } })
    expect(await response.text()).toContain('image_edit.completed')
    expect(open.records).toMatchObject([{ inputTokens: 3, outputTokens: 4, images: 1 }])
  })

  it.each(['{', '[]', '"x"', '{"model":7}'])('refuse the body %s', async (body) => {
    const open = openGateway()
    const { secret } = await open.key()
    const headers = { 'content-type': 'application/json' }
    await expectFailure(await open.send('/v1/images/edits', { as: secret, headers, body }), 400, {})
  })
})

describe('files', () => {
  it('reach the provider that the request names, for the admin', async () => {
    const seen: SeenForm[] = []
    const origin = await startUpstream(async (incoming, response) => {
      seen.push(await formOf(incoming))
      answerJson(response, { id: 'file-1', object: 'file' })
    })
    const open = openGateway({ providers: [upstreamProvider(origin)] })
    const body = form(field('purpose', 'batch'), field('file', '{}', 'a.jsonl'))
    const { secret } = await open.key()
    await expectFailure(await open.send('/v1/files', { as: secret, headers: multipart, body }), 403, {})
    const headers = { ...multipart, 'x-trivium-provider': 'up' }
    const response = await open.send('/v1/files', { as: `Basic ${btoa('admin:secret')}`, headers, body })
    expect(await response.json()).toEqual({ id: 'file-1', object: 'file' })
    expect(seen).toEqual([{ path: '/v1/files', fields: { purpose: 'batch' }, files: [['file', 'a.jsonl', 2]] }])
  })
})

/** Resolves once the value has not changed for 200 ms. */
async function quiet(read: () => number): Promise<void> {
  let last = read()
  for (let turns = 0; turns < 20; turns += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    if (read() !== last) turns = 0
    last = read()
  }
}

describe('a form that cannot be read', () => {
  const part = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const boundary = 'multipart/form-data; boundary=x'
  it.each([
    ['another content type', 'application/json', '{}', 'unsupported_content_type', null],
    ['no boundary', 'multipart/form-data', 'x', 'malformed_form', null],
    ['two boundaries', `${boundary}; boundary=y`, `${part('model', 'a')}--x--`, 'malformed_form', null],
    ['no end', boundary, part('a', 'b'), 'malformed_form', null],
    ['too many parts', boundary, part('a', 'b').repeat(101), 'form_too_large', null],
    ['long headers', boundary, `--x\r\na: ${'b'.repeat(20_000)}`, 'form_too_large', null],
    ['long fields', boundary, part('a', 'b'.repeat(2 ** 20 + 1)), 'form_too_large', null],
    ['an empty model', boundary, `${part('model', '')}--x--`, 'invalid_value', 'model'],
    [
      'a late model',
      boundary,
      `--x\r\ncontent-disposition: form-data; name="a"; filename="a"\r\n\r\n${'b'.repeat(25 * 2 ** 20)}`,
      'missing_required_parameter',
      'model',
    ],
  ])('has a code for %s', async (_, type, body, code, param) => {
    const open = openGateway()
    const { secret } = await open.key()
    const headers = { 'content-type': type }
    const response = await open.send('/v1/audio/transcriptions', { as: secret, headers, body })
    await expectFailure(response, 400, { code, param })
  })

  it('has a code where the operation takes JSON too, or no model', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    const headers = { 'content-type': 'text/plain' }
    const code = 'unsupported_content_type'
    const message =
      "The request needs a form with the content type 'multipart/form-data', or JSON with 'application/json'."
    const edit = await open.send('/v1/images/edits', { as: secret, headers, body: 'x' })
    await expectFailure(edit, 400, { code, message })
    await expectFailure(await open.send('/v1/files', { as: ADMIN, headers, body: 'x' }), 400, { code })
  })

  it('has a code for a file whose boundary is not clear', async () => {
    const open = openGateway()
    const headers = { 'content-type': `${boundary}; boundary=y` }
    const response = await open.send('/v1/files', { as: ADMIN, headers, body: 'x' })
    await expectFailure(response, 400, { code: 'malformed_form', message: expect.stringContaining("one 'boundary'") })
  })
})
