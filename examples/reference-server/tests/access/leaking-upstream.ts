import { type Answer, chunk, startUpstream, type Upstream, type UpstreamRequest } from '../upstream.ts'

/** A prompt that succeeds. Between failures it keeps the gateway from suspending the upstream. */
export const SUCCESS = 'all is well'

const completion = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, logprobs: null, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
}

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm-1',
  content: [{ type: 'text', text: 'yes' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1, output_tokens: 1 },
}

const results = { web: { results: [{ url: 'https://a.example/', title: 'A', description: 'a' }] } }

const goodAnswer = (path: string): unknown => {
  if (path.includes('/messages')) return message
  return path.includes('/search') ? results : completion
}

const models = { object: 'list', data: [{ id: 'm-1', object: 'model', created: 1, owned_by: 'them' }] }

/** The failures that a client's prompt selects. */
export const failings = [
  'status 400',
  'status 401',
  'status 403',
  'status 404',
  'status 422',
  'status 429',
  'status 500',
  'status 503',
  'error with a good status',
  'error as the first event',
  'error inside the stream',
  'no JSON',
  'a redirect',
  'a cut',
] as const

/** Returns the text that contains the prompt, for each of the three upstreams. */
export const promptOf = ({ path, body }: UpstreamRequest): string =>
  body + decodeURIComponent(path.replaceAll('+', ' '))

const answer: Answer = (request, response) => {
  const { authorization, 'x-api-key': apiKey, 'x-subscription-token': token } = request.headers
  const key = String(authorization ?? apiKey ?? token).replace(/^Bearer /, '')
  const text = `Incorrect API key provided: ${key}`
  const error = { message: text, type: `of ${key}`, code: `bad ${key}`, param: key, detail: text }
  const json = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  if (request.path.endsWith('/models')) return json(200, models)
  const prompt = promptOf(request)
  if (prompt.includes(SUCCESS)) return json(200, goodAnswer(request.path))
  const wanted = failings.find((failing) => prompt.includes(failing))
  const status = /^status (\d+)$/.exec(wanted ?? '')?.[1]
  if (status !== undefined)
    return json(Number(status), { type: 'error', error }, { 'retry-after-ms': '1', 'x-request-id': key })
  switch (wanted) {
    case 'error with a good status':
      return json(200, { type: 'error', error })
    case 'no JSON':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${text}</h1>`)
    case 'a redirect':
      return json(302, {}, { location: `http://127.0.0.1:1/${key}` })
    case 'a cut':
      return void response.destroy()
    default:
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (wanted === 'error inside the stream') response.write(chunk('first'))
      response.end(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`)
  }
}

/** Starts an upstream (OpenAI, Anthropic and Brave in one) that fails in every way, and repeats its credentials in its errors. */
export const leakingUpstream = (): Promise<Upstream> => startUpstream(answer)
