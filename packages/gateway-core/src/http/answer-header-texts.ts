type HeaderTexts = Readonly<Record<string, string>>

/** The headers of answers of an upstream, for the OpenAPI document. */
export const upstreamHeaderTexts: HeaderTexts = {
  'x-trivium-provider': 'The id of the provider that answered.',
}

/** The headers of answers that may be translated from another dialect. */
export const dialectHeaderTexts: HeaderTexts = {
  ...upstreamHeaderTexts,
  'x-trivium-omitted':
    'Names of what the upstream did not get, separated by commas: tools that were merely offered, hints, and members that the gateway does not know.',
}

/** The headers of counts of tokens. */
export const countHeaderTexts: HeaderTexts = {
  ...dialectHeaderTexts,
  'x-trivium-estimated': '`true` where the gateway estimated the count, because the upstream counts no tokens.',
}
