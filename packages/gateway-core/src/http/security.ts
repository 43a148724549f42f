import { ownRuleOf } from './access/decide-caller.ts'

/** The ways in which requests to the gateway present credentials, as OpenAPI's security schemes. */
export const gatewaySecuritySchemes = {
  apiKey: { type: 'http', scheme: 'bearer', description: 'An API key. The admin password is accepted too.' },
  apiKeyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: "An API key, as Anthropic's clients send it.",
  },
  admin: { type: 'http', scheme: 'basic', description: 'The password of the admin, with the username `admin`.' },
} as const

/** Returns OpenAPI's security requirements of an operation, as its rule is without one of the host. */
export function gatewaySecurity(id: string): readonly Readonly<Record<string, readonly string[]>>[] {
  const rule = ownRuleOf(id)
  if (rule === 'open') return []
  const ofAdmin = [{ admin: [] }, { apiKey: [] }]
  return rule === 'admin' ? ofAdmin : [{ apiKey: [] }, { apiKeyHeader: [] }, { admin: [] }]
}
