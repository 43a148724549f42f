import { gatewayContract, gatewaySecurity, gatewaySecuritySchemes } from '@trivium/gateway-core/http'
import { toOpenApi } from '@trivium/http-contract/openapi'
import { describe, expect, it } from 'vitest'

const document = toOpenApi([{ operations: gatewayContract, security: gatewaySecurity }], {
  info: { title: 'Gateway', version: '1' },
  securitySchemes: gatewaySecuritySchemes,
})

describe('the OpenAPI document', () => {
  it('names the credentials of each operation', () => {
    const securityOf = (path: string, method: string) => document.paths[path]?.[method]?.security
    expect(securityOf('/v1/auth/validate', 'get')).toEqual([])
    expect(securityOf('/v1/teams', 'post')).toEqual([{ admin: [] }, { apiKey: [] }])
    expect(securityOf('/v1/messages', 'post')).toContainEqual({ apiKeyHeader: [] })
  })

  it('describes the optional headers of requests', () => {
    const names = document.paths['/v1/chat/completions']?.post?.parameters?.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['cache-control', 'x-trivium-include-cost']))
  })

  it.each([
    'ApiKey',
    'ApiKeyState',
    'IssuedApiKey',
    'Team',
    'TeamState',
    'User',
    'UserState',
  ])('has an example of %s with each of its members', (name) => {
    const { examples = [], required = [] } = document.components?.schemas?.[name] ?? {}
    expect(Object.keys(Object(examples[0])).sort()).toEqual([...required].sort())
  })
})
