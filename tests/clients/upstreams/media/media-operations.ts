import * as v from 'valibot'
import { checkRequest, object } from '../check-request.ts'
import { type Exchange, type Operation, Refusal, sendEvents, sendJson } from '../upstream.ts'

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const CREATED = 1_763_000_000
const imageUsage = {
  ...{ input_tokens: 5, output_tokens: 9, total_tokens: 14 },
  input_tokens_details: { text_tokens: 5, image_tokens: 0 },
}

/** What OpenAI has beside conversations: embeddings, pictures, sound, moderations, files and batches. */
export const mediaOperations: Readonly<Record<string, Operation>> = {
  'POST /v1/embeddings': embed,
  'POST /v1/completions': ({ received, response }) =>
    sendJson(response, {
      ...{ id: 'cmpl-1', object: 'text_completion', created: CREATED, model: modelOf(received.body) },
      choices: [{ index: 0, text: ' world', logprobs: null, finish_reason: 'stop' }],
      usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
    }),
  'POST /v1/moderations': ({ received, response }) =>
    sendJson(response, {
      ...{ id: 'modr-1', model: modelOf(received.body) },
      results: [{ flagged: false, categories: { violence: false }, category_scores: { violence: 0.01 } }],
    }),
  'POST /v1/images/generations': picture,
  'POST /v1/images/edits': picture,
  'POST /v1/images/variations': picture,
  'POST /v1/audio/speech': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(Buffer.from('ID3 spoken')),
  'POST /v1/audio/transcriptions': transcribe,
  'POST /v1/audio/translations': transcribe,
  'POST /v1/rerank': ({ response }) =>
    sendJson(response, { id: 'rr-1', results: [{ index: 1, relevance_score: 0.9 }], meta: {} }),
  'POST /v1/files': ({ received, response }) => {
    requireForm(received.headers['content-type'])
    sendJson(response, file)
  },
  'GET /v1/files': ({ response }) => sendJson(response, { object: 'list', data: [file], has_more: false }),
  'GET /v1/files/file-1': ({ response }) => sendJson(response, file),
  'GET /v1/files/file-1/content': ({ response }) =>
    void response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('{"line":1}\n'),
  'DELETE /v1/files/file-1': ({ response }) => sendJson(response, { id: 'file-1', object: 'file', deleted: true }),
  'POST /v1/batches': ({ response }) => sendJson(response, batch),
  'GET /v1/batches': ({ response }) => sendJson(response, { object: 'list', data: [batch], has_more: false }),
  'GET /v1/batches/batch_1': ({ response }) => sendJson(response, batch),
  'POST /v1/batches/batch_1/cancel': ({ response }) => sendJson(response, { ...batch, status: 'cancelling' }),
}

const file = {
  ...{ id: 'file-1', object: 'file', bytes: 11, created_at: CREATED, filename: 'lines.jsonl', purpose: 'batch' },
  status: 'processed',
}
const batch = {
  ...{ id: 'batch_1', object: 'batch', endpoint: '/v1/chat/completions', input_file_id: 'file-1' },
  ...{ completion_window: '24h', status: 'validating', created_at: CREATED },
}

const modelOf = (body: unknown): unknown => checkRequest(object, body).model

const embeddingSchema = v.strictObject({
  model: v.string(),
  input: v.union([v.string(), v.array(v.union([v.string(), v.number(), v.array(v.number())]))]),
  encoding_format: v.optional(v.picklist(['float', 'base64'])),
  dimensions: v.optional(v.number()),
  user: v.optional(v.string()),
})

function embed({ received, response }: Exchange): void {
  const { model, input, encoding_format, dimensions = 4 } = checkRequest(embeddingSchema, received.body)
  const isBatch = Array.isArray(input) && typeof input[0] !== 'number'
  const values = Array.from({ length: dimensions }, (_, index) => (index + 1) / 8)
  const embedding =
    encoding_format === 'base64' ? Buffer.from(Float32Array.from(values).buffer).toString('base64') : values
  const data = Array.from({ length: isBatch ? input.length : 1 }, (_, index) => ({
    object: 'embedding',
    index,
    embedding,
  }))
  sendJson(response, { object: 'list', data, model, usage: { prompt_tokens: 6, total_tokens: 6 } })
}

function picture({ received, response }: Exchange): void {
  const { path, body, headers, bytes } = received
  const isEdit = !path.endsWith('/generations')
  if (isEdit) requireForm(headers['content-type'])
  const fields: Readonly<Record<string, unknown>> = isEdit ? {} : checkRequest(object, body)
  if (fields.response_format !== undefined && String(fields.model).startsWith('gpt-image')) {
    throw new Refusal("Unknown parameter: 'response_format'.")
  }
  const isStream = isEdit ? /name="stream"\r\n\r\ntrue/.test(bytes.toString('latin1')) : fields.stream === true
  if (!isStream) {
    sendJson(response, { created: CREATED, data: [{ b64_json: PIXEL }], usage: imageUsage })
    return
  }
  const type = isEdit ? 'image_edit' : 'image_generation'
  const common = {
    ...{ b64_json: PIXEL, created_at: CREATED, size: '1024x1024', quality: 'high', background: 'opaque' },
    output_format: 'png',
  }
  sendEvents(response, [
    { type: `${type}.partial_image`, ...common, partial_image_index: 0 },
    { type: `${type}.completed`, ...common, usage: imageUsage },
  ])
}

function transcribe({ received, response }: Exchange): void {
  requireForm(received.headers['content-type'])
  const form = received.bytes.toString('latin1')
  if (!form.includes('RIFF')) throw new Refusal('Invalid file format.')
  if (/name="stream"\r\n\r\ntrue/.test(form)) {
    sendEvents(response, [
      { type: 'transcript.text.delta', delta: 'spoken' },
      { type: 'transcript.text.done', text: 'spoken words' },
    ])
    return
  }
  const segment = { id: 0, start: 0, end: 1, text: 'spoken words', seek: 0, tokens: [], temperature: 0 }
  const isVerbose = form.includes('verbose_json')
  const verbose = isVerbose ? { language: 'english', duration: 1, segments: [segment], words: [] } : {}
  sendJson(response, { text: 'spoken words', ...verbose, usage: { type: 'duration', seconds: 1 } })
}

function requireForm(contentType: string | undefined): void {
  if (contentType?.startsWith('multipart/form-data; boundary=') !== true) {
    throw new Refusal('The body must be multipart/form-data.')
  }
}
