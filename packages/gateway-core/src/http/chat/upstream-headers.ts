import { omittedHeader } from './omitted-header.ts'

/** What the headers of an answer report of its upstream. */
export interface AnsweredBy {
  /** Absent for an answer that no upstream has given yet. */
  readonly provider: string | undefined
  readonly omitted: readonly string[]
  readonly headers: Readonly<Record<string, string>> | undefined
}

/**
 * Selects the upstream's headers for the client. Those that the clients of OpenAI and Anthropic log keep their names.
 * Those that the gateway sets itself get the prefix `x-upstream-`. The account at the upstream is the gateway's own, and is
 * not named.
 */
export function upstreamHeaders({ provider, omitted, headers }: AnsweredBy): Record<string, string> {
  const passed: Record<string, string> = provider === undefined ? {} : { 'x-trivium-provider': provider }
  if (omitted.length > 0) passed['x-trivium-omitted'] = omittedHeader(omitted)
  if (!headers) return passed
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || accounts.has(name)) continue
    if (name === 'x-request-id' || name.startsWith('x-ratelimit-')) passed[`x-upstream-${name.slice(2)}`] = value
    else if (name.startsWith('anthropic-ratelimit-')) passed[`x-upstream-${name}`] = value
    else if (name.startsWith('openai-') || name.startsWith('anthropic-') || name === 'request-id') passed[name] = value
  }
  return passed
}

const accounts: ReadonlySet<string> = new Set(['openai-organization', 'openai-project', 'anthropic-organization-id'])
