import type { ServerResponse } from 'node:http'
import { type SearchEngine, type SearchError, SearchFailure, type SearchQuery } from '@trivium/gateway-core/ports'
import type { SeenRequest } from '../../gateway-core/tests/upstream-server.ts'

export const query = (fields: Partial<SearchQuery> = {}): SearchQuery => ({
  text: 'cats & dogs',
  type: 'text',
  maxResults: 10,
  region: 'all',
  safeSearch: 'moderate',
  ...fields,
})

export const search = (
  engine: SearchEngine,
  fields: Partial<SearchQuery> = {},
  signal = new AbortController().signal,
) => engine.search(query(fields), { signal })

export async function errorOf(promise: Promise<unknown>): Promise<SearchError> {
  try {
    await promise
  } catch (thrown) {
    if (SearchFailure.is(thrown)) return thrown.error
    throw thrown
  }
  throw new Error('It did not fail')
}

export const parametersOf = ({ path, body }: SeenRequest): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(body === '' ? path.split('?')[1] : body))

export type Answering = (request: SeenRequest, response: ServerResponse) => void

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Answering =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

export const html =
  (text: string, status = 200, headers: Record<string, string> = {}): Answering =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers })
    response.end(text)
  }

/** Answers that each engine has to refuse for each type of search. */
export const invalidAnswers: readonly (readonly [name: string, type: SearchError['type'], answer: Answering])[] = [
  ['invalid JSON', 'unavailable', json('{"results":[')],
  ['an empty body', 'unavailable', json('')],
  ['another shape', 'unavailable', json({ results: { a: 1 }, web: { results: 'x' } })],
  ['a null', 'unavailable', json(null)],
  ['invalid items', 'unavailable', json({ results: [1, null, 'x', {}], web: { results: [1, null, 'x', {}] } })],
  ['deep nesting', 'unavailable', json('['.repeat(100_000))],
  ['a redirect', 'unavailable', html('', 302, { location: 'http://127.0.0.1:1/' })],
  ['a server error', 'unavailable', html('<h1>Oops', 500)],
  ['a broken connection', 'unavailable', (_, response) => void response.socket?.resetAndDestroy()],
  [
    'half an answer',
    'unavailable',
    (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"results":', () => setImmediate(() => response.socket?.resetAndDestroy()))
    },
  ],
  ['a body that is too large', 'unavailable', (_, response) => response.end(Buffer.alloc(6 * 2 ** 20, 'x'))],
  ['a limit', 'rate-limited', html('<h1>Too many', 429, { 'retry-after': '17' })],
]
