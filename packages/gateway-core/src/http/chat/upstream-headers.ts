/**
 * What of an upstream's headers reaches the client: what OpenAI's clients log as it is, and what would be taken for the
 * gateway's own under another name.
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
