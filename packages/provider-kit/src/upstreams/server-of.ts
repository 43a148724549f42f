import type { ProviderServer } from '@trivium/gateway-core/ports'

/** The names of vendors in OpenTelemetry's conventions, by the end of their hosts. */
const vendors: readonly (readonly [string, string])[] = [
  ['api.openai.com', 'openai'],
  ['.openai.azure.com', 'azure.ai.openai'],
  ['.services.ai.azure.com', 'azure.ai.inference'],
  ['api.anthropic.com', 'anthropic'],
  ['api.mistral.ai', 'mistral_ai'],
  ['api.groq.com', 'groq'],
  ['api.deepseek.com', 'deepseek'],
  ['api.x.ai', 'x_ai'],
  ['api.perplexity.ai', 'perplexity'],
  ['api.cohere.com', 'cohere'],
  ['generativelanguage.googleapis.com', 'gcp.gemini'],
]

/** Returns what spans name an upstream by. Its URL is valid, and its path and its credentials are left out. */
export function serverOf(baseUrl: string): ProviderServer {
  const { hostname, port, protocol } = new URL(baseUrl)
  const [, name] = vendors.find(([end]) => hostname === end || (end.startsWith('.') && hostname.endsWith(end))) ?? []
  return {
    ...(name === undefined ? {} : { name }),
    address: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  }
}
