/** What no client may be told: the key, and the values of the host's own headers that speak of credentials. */
export const upstreamSecrets = (
  apiKey: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): readonly string[] => [apiKey ?? '', ...Object.entries(headers).map(credentialIn)].filter((secret) => secret !== '')

const credentialIn = ([name, value]: readonly [name: string, value: string]): string =>
  /key|token|authorization|cookie/i.test(name) ? value.replace(/^Bearer /i, '') : ''
