/** What no client may see of an upstream's request headers: the values of those whose names speak of credentials. */
export const upstreamSecrets = (headers: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(headers).flatMap(([name, value = '']) => {
    if (!/key|token|authorization|cookie/i.test(name)) return []
    const secret = value.replace(/^Bearer /i, '')
    return secret === '' ? [] : [secret]
  })
