/**
 * Selects the upstream's headers for the client. Those that OpenAI's clients log keep their names. Those that the gateway
 * sets itself get the prefix `x-upstream-`.
 */
export function upstreamHeaders(
  provider: string,
  headers: Readonly<Record<string, string>> | undefined,
): Record<string, string> {
  const passed: Record<string, string> = { 'x-trivium-provider': provider }
  if (!headers) return passed
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    if (name.startsWith('openai-')) passed[name] = value
    else if (name === 'x-request-id' || name.startsWith('x-ratelimit-')) passed[`x-upstream-${name.slice(2)}`] = value
  }
  return passed
}
