import { isLoopback } from '@trivium/http-contract'
import type { Mistake } from './config/read/mistakes.ts'
import type { Configuration } from './read-settings.ts'
import { type Settings, SettingsError } from './settings.ts'

type Own = Pick<Settings, 'HOST' | 'PORT' | 'TRIVIUM_TLS_CERT'>

/**
 * Refuses an upstream that is this server, which would send each request to itself until all connections are used.
 * Programs such as Claude Code and Qwen Code read the same variables, so these may be set for them.
 *
 * @throws SettingsError for the first one
 */
export function refuseOwnAddress({ settings, config }: Configuration): void {
  const { OPENAI_BASE_URL, ANTHROPIC_BASE_URL, OLLAMA_HOST } = settings
  for (const [name, url] of Object.entries({ OPENAI_BASE_URL, ANTHROPIC_BASE_URL, OLLAMA_HOST })) {
    if (url === undefined || !isOwn(new URL(url), settings)) continue
    throw new SettingsError(
      `${name} is the address of this server itself. Name an upstream, or unset it here and set it only where the client starts.`,
    )
  }
  const own = (config?.sections.upstreams ?? []).flatMap((upstream, index): readonly Mistake[] => {
    const url = 'base_url' in upstream ? upstream.base_url : undefined
    if (url === undefined || !isOwn(new URL(url), settings)) return []
    return [{ path: ['upstreams', index, 'base_url'], message: 'is the address of this server itself' }]
  })
  if (config && own.length > 0) throw new SettingsError(config.describe(own))
}

function isOwn({ protocol, hostname, port }: URL, { HOST: host, PORT, TRIVIUM_TLS_CERT: certificate }: Own): boolean {
  const own = certificate === undefined ? { protocol: 'http:', port: 80 } : { protocol: 'https:', port: 443 }
  if (protocol !== own.protocol || (Number(port) || own.port) !== PORT) return false
  return namesOf(host).has(hostname.replaceAll(/^\[|\]$/g, ''))
}

function namesOf(host: string): ReadonlySet<string> {
  if (['0.0.0.0', '::', 'localhost'].includes(host)) return new Set([host, 'localhost', '127.0.0.1', '::1'])
  return new Set(isLoopback(host) ? [host, 'localhost'] : [host])
}
