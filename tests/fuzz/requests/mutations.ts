import fc from 'fast-check'
import { fromUtf8 } from '../fuzz-request.ts'
import { bodyMutation } from './body-mutations.ts'
import { hostileText } from './hostile-values.ts'
import { encodeText, type RequestParts } from './request-parts.ts'

export interface MutableParts extends RequestParts {
  /** The value of the body, until a mutation changes the body itself. */
  readonly value: unknown
}

export type Mutation = (parts: MutableParts) => MutableParts

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'get', 'X'] as const

/** Bytes as they are sent, with valid, invalid or without encoding. */
const wireText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: hostileText.map(encodeText), weight: 4 },
  fc.constantFrom(
    '%',
    '%2',
    '%zz',
    '%00',
    '%ff',
    '%c0%af',
    '%2e%2e',
    '%2F',
    '..',
    '%252e',
    '%ed%a0%80',
    '//',
    '',
    '+',
    '%0d%0a',
  ),
  fc.uint8Array({ minLength: 1, maxLength: 6 }).map(
    (bytes) =>
      `%${Buffer.from(bytes)
        .toString('hex')
        .replace(/..(?!$)/g, '$&%')}`,
  ),
)

const replaceAt = <Item>(items: readonly Item[], at: number, ...by: readonly Item[]): readonly Item[] => {
  const index = at % Math.max(items.length, 1)
  return [...items.slice(0, index), ...by, ...items.slice(index + 1)]
}

const pathMutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    arbitrary: fc.tuple(fc.nat(), wireText).map(
      ([at, text]): Mutation =>
        (parts) => ({ ...parts, segments: replaceAt(parts.segments, at, text) }),
    ),
    weight: 3,
  },
  {
    // The last segments are parameters in most paths.
    arbitrary: fc.tuple(fc.nat(2), wireText).map(
      ([back, text]): Mutation =>
        (parts) => ({
          ...parts,
          segments: replaceAt(parts.segments, Math.max(0, parts.segments.length - 1 - back), text),
        }),
    ),
    weight: 4,
  },
  fc.nat().map(
    (at): Mutation =>
      (parts) => ({ ...parts, segments: replaceAt(parts.segments, at) }),
  ),
  fc.tuple(fc.nat(), wireText).map(
    ([at, text]): Mutation =>
      (parts) => ({
        ...parts,
        segments: replaceAt(parts.segments, at, text, parts.segments[at % Math.max(parts.segments.length, 1)] ?? ''),
      }),
  ),
  fc.constantFrom<Mutation>(
    (parts) => ({ ...parts, segments: [...parts.segments, ''] }),
    (parts) => ({ ...parts, segments: ['', ...parts.segments] }),
    (parts) => ({ ...parts, segments: parts.segments.map((segment) => segment.toUpperCase()) }),
    (parts) => ({ ...parts, segments: parts.segments.slice(1) }),
    (parts) => ({ ...parts, segments: parts.segments.flatMap((segment) => ['', segment]) }),
    (parts) => ({
      ...parts,
      segments: parts.segments.map((segment) =>
        segment.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`),
      ),
    }),
  ),
)

const queryNames = [
  'fields',
  'order_by',
  'max_records',
  'return_timeout',
  'return_records',
  'limit',
  'after',
  'ticket',
  'name',
  'type',
  'q',
]

const queryMutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    arbitrary: fc.tuple(fc.constantFrom(...queryNames), wireText).map(
      ([name, text]): Mutation =>
        (parts) => ({ ...parts, query: [...parts.query, `${name}=${text}`] }),
    ),
    weight: 2,
  },
  {
    arbitrary: fc.tuple(fc.nat(), wireText).map(
      ([at, text]): Mutation =>
        (parts) => ({
          ...parts,
          query: replaceAt(
            parts.query,
            at,
            `${(parts.query[at % Math.max(parts.query.length, 1)] ?? 'x').split('=')[0]}=${text}`,
          ),
        }),
    ),
    weight: 3,
  },
  fc.tuple(wireText, wireText).map(
    ([name, text]): Mutation =>
      (parts) => ({ ...parts, query: [...parts.query, `${name}=${text}`] }),
  ),
  wireText.map(
    (text): Mutation =>
      (parts) => ({ ...parts, query: [...parts.query, text] }),
  ),
  fc.constantFrom<Mutation>(
    (parts) => ({ ...parts, query: [...parts.query, ...parts.query] }),
    (parts) => ({ ...parts, query: [] }),
    (parts) => ({ ...parts, query: [...parts.query, '&&&=&=x&x', ';', '?'] }),
    (parts) => ({ ...parts, query: [...parts.query, ...Array.from({ length: 500 }, (_, index) => `a${index}=1`)] }),
    (parts) => ({ ...parts, query: [...parts.query, 'a[b]=1', 'a[__proto__][x]=1', '__proto__=1', 'constructor=1'] }),
  ),
)

const headerNames = [
  ...['accept', 'authorization', 'content-type', 'content-encoding', 'accept-encoding', 'prefer', 'range', 'if-match'],
  ...[
    'x-request-id',
    'x-dot-svm-name',
    'x-dot-svm-uuid',
    'origin',
    'x-http-method-override',
    'x-forwarded-host',
    'cookie',
  ],
  ...['connection', 'upgrade', 'expect', 'sec-websocket-version', 'sec-websocket-key', 'sec-websocket-extensions'],
]

const headerValues = [
  ...[
    '',
    '*/*',
    'text/event-stream',
    'application/json',
    'application/hal+json',
    'text/html;q=x',
    'application/x-ndjson',
  ],
  ...[
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'text/plain; charset=utf-16',
    'application/json; charset=latin1',
  ],
  ...[
    'Bearer',
    'Basic',
    'Basic Og==',
    'Bearer x',
    'gzip',
    'br, deflate',
    'svm1',
    'nobody',
    'bytes=0-1',
    'DELETE',
    'null',
  ],
  ...['Upgrade', 'close', 'keep-alive, Upgrade', 'websocket', 'h2c', '8', '100-continue', 'permessage-deflate'],
]

const headerMutation: fc.Arbitrary<Mutation> = fc
  .tuple(
    fc.constantFrom(...headerNames),
    fc.oneof(
      { arbitrary: fc.constantFrom(...headerValues), weight: 4 },
      fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }).map(fromUtf8),
      fc.integer({ min: 1, max: 6000 }).map((length) => 'h'.repeat(length)),
    ),
  )
  .map(
    ([name, value]): Mutation =>
      (parts) => ({
        ...parts,
        headers: [...parts.headers.filter(([known]) => known !== name), [name, value.trim()]],
      }),
  )

/** One change of a request to a form that a faulty or hostile client sends. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    arbitrary: bodyMutation.map(
      (mutate): Mutation =>
        (parts) =>
          parts.value === undefined ? parts : { ...parts, body: mutate(parts.value) },
    ),
    weight: 8,
  },
  { arbitrary: pathMutation, weight: 4 },
  { arbitrary: queryMutation, weight: 4 },
  { arbitrary: headerMutation, weight: 2 },
  fc.constantFrom(...METHODS).map(
    (method): Mutation =>
      (parts) => ({ ...parts, method }),
  ),
  // An unexpected body, or no body where one is expected.
  fc.constantFrom<Mutation>(
    (parts) => ({ ...parts, body: undefined }),
    (parts) => ({ ...parts, body: '{}' }),
    (parts) => ({ ...parts, body: `{"a":"${'x'.repeat(2 ** 20)}"}` }),
    (parts) => ({ ...parts, headers: [] }),
  ),
)
