type HeaderTexts = Readonly<Record<string, string>>

/** The headers of answers of an upstream, for the OpenAPI document. */
export const upstreamHeaderTexts: HeaderTexts = {
  'x-trivium-provider': 'The id of the provider that answered.',
  'x-trivium-cost': 'What a whole answer has cost, in US dollars. Absent where no price is known.',
}

const cacheRequestTexts: HeaderTexts = {
  'cache-control':
    'Of the answer cache: `no-cache` requests a new answer, `no-store` a new one that is not stored, and `max-age` one that is at most so many seconds old.',
}

/** The headers of requests whose answers may be cached. */
export const embeddingRequestTexts: HeaderTexts = cacheRequestTexts

/** The headers of requests for an answer in a dialect. */
export const answerRequestTexts: HeaderTexts = {
  ...cacheRequestTexts,
  'x-trivium-include-cost': '`1` adds `cost`, in US dollars, to the last `usage` of a stream.',
}

/** The headers of answers that may be cached. */
const cacheHeaderTexts: HeaderTexts = {
  'x-trivium-cache':
    '`hit` for the answer to an earlier request, `miss` for a new one. Absent where the cache is off or is not used for the request.',
  age: 'How old an answer of the cache is, in seconds.',
}

/** The headers of answers of an upstream that may be cached. */
export const embeddingHeaderTexts: HeaderTexts = { ...upstreamHeaderTexts, ...cacheHeaderTexts }

/** The headers of answers that may be translated from another dialect. */
const dialectHeaderTexts: HeaderTexts = {
  ...upstreamHeaderTexts,
  'x-trivium-omitted':
    'Names of what the upstream did not get, separated by commas: tools that were merely offered, hints, and members that the gateway does not know.',
}

/** The headers of answers that may be translated and cached. */
export const answerHeaderTexts: HeaderTexts = { ...dialectHeaderTexts, ...cacheHeaderTexts }

/** The headers of counts of tokens. */
export const countHeaderTexts: HeaderTexts = {
  ...dialectHeaderTexts,
  'x-trivium-estimated': '`true` where the gateway estimated the count, because the upstream counts no tokens.',
}
