import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gatewayContract } from '@trivium/gateway-core/http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ADMIN, expectFailure, expectMessageFailure, openGateway, type RequestParts } from './open-gateway.ts'

const KEY_OPERATIONS = [
  'createChatCompletion',
  'getResponse',
  'deleteResponse',
  'cancelResponse',
  'listResponseInputItems',
  'createConversation',
  'getConversation',
  'changeConversation',
  'deleteConversation',
  'createConversationItems',
  'listConversationItems',
  'getConversationItem',
  'deleteConversationItem',
  'createCompletion',
  'createEmbedding',
  'createRerank',
  'createRerankV2',
  'createModeration',
  'createSpeech',
  'createTranscription',
  'createTranslation',
  'editImage',
  'createImageVariation',
  'createResponse',
  'countResponseTokens',
  'compactResponse',
  'createMessage',
  'countMessageTokens',
  'createImage',
  'listModels',
  'getModel',
  'listImageModels',
  'getCaller',
  'getUsage',
  'createClientSecret',
  'search',
]
const OPEN_OPERATIONS = ['getImageFile', 'validateKey', 'getHealth']

const operations = Object.entries(gatewayContract).map(([id, { method, path }]) => ({
  id,
  method,
  path: path.replace('{model+}', 'x').replace(/\{\w+\}/g, 'x'),
}))

describe.each(operations)('$id', ({ id, method, path }) => {
  const send = async (parts: RequestParts) => {
    const open = openGateway()
    const { secret } = await open.key()
    const body = method === 'GET' || method === 'DELETE' ? undefined : '{}'
    return open.send(path, {
      method,
      ...(body === undefined ? {} : { body }),
      ...parts,
      as: parts.as === 'KEY' ? secret : (parts.as ?? ''),
    })
  }
  const isOpen = OPEN_OPERATIONS.includes(id)
  const isOfMessages = path.startsWith('/v1/messages')
  const takesKeys = KEY_OPERATIONS.includes(id)

  it('refuses requests without credentials unless it is open', async () => {
    const response = await send({ headers: {} })
    if (isOpen) expect(response.status).not.toBe(401)
    else if (isOfMessages) await expectMessageFailure(response, 401, 'authentication_error')
    else await expectFailure(response, 401, { type: 'invalid_request_error', param: null })
  })

  if (isOpen) return

  it("accepts the admin's password, as Basic and as Bearer", async () => {
    for (const as of [ADMIN, 'Bearer secret']) expect([401, 403]).not.toContain((await send({ as })).status)
  })

  it('refuses wrong admin credentials', async () => {
    for (const as of [
      `Basic ${btoa('admin:wrong')}`,
      `Basic ${btoa('root:secret')}`,
      'Bearer wrong',
      `Basic ${btoa('secret')}`,
    ]) {
      const response = await send({ as })
      if (isOfMessages) await expectMessageFailure(response, 401, 'authentication_error')
      else await expectFailure(response, 401, { param: null })
      expect(response.headers.has('www-authenticate')).toBe(true)
    }
  })

  it(takesKeys ? 'accepts an API key' : 'refuses an API key', async () => {
    const response = await send({ as: 'KEY' })
    if (takesKeys) expect([401, 403]).not.toContain(response.status)
    else await expectFailure(response, 403, { code: 'admin_required' })
  })
})

describe('check of credentials', () => {
  it.each([
    ['no credentials', undefined, 'missing_api_key'],
    ['an empty header', '', 'invalid_api_key'],
    ['the scheme alone', 'Bearer', 'invalid_api_key'],
    ['a key without a scheme', `tvm_${'a'.repeat(43)}`, 'invalid_api_key'],
    ['another scheme', 'Digest abc', 'invalid_api_key'],
    ['two keys', `Bearer tvm_${'a'.repeat(43)}, Bearer tvm_${'b'.repeat(43)}`, 'invalid_api_key'],
    ['two words', 'Bearer a b', 'invalid_api_key'],
    ['an unknown key', `Bearer tvm_${'a'.repeat(43)}`, 'invalid_api_key'],
    ['a long key', `Bearer ${'a'.repeat(10_000)}`, 'invalid_api_key'],
    ['Basic that is not base64', 'Basic !!!', 'invalid_api_key'],
    ['Basic that is not UTF-8', `Basic ${btoa('\xff:\xff')}`, 'invalid_api_key'],
  ])('returns 401 for %s', async (_, authorization, code) => {
    const open = openGateway()
    const response = await open.send('/v1/models', { headers: authorization === undefined ? {} : { authorization } })
    expect(response.headers.get('www-authenticate')).toMatch(/^(Bearer|Basic)/)
    await expectFailure(response, 401, { type: 'invalid_request_error', code })
  })

  it('accepts a key in `x-api-key`, and prefers the one in `authorization`', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    const wrong = `tvm_${'a'.repeat(43)}`
    const status = async (headers: Record<string, string>) => (await open.send('/v1/models', { headers })).status
    expect(await status({ 'x-api-key': secret })).toBe(200)
    expect(await status({ 'x-api-key': secret, authorization: `Bearer ${secret}` })).toBe(200)
    expect(await status({ 'x-api-key': wrong, authorization: `Bearer ${secret}` })).toBe(200)
    expect(await status({ 'x-api-key': secret, authorization: `Bearer ${wrong}` })).toBe(401)
    expect(await status({ 'x-api-key': wrong })).toBe(401)
    expect(await status({ 'x-api-key': '' })).toBe(401)
    expect(await status({ 'x-api-key': `${secret} ${secret}` })).toBe(401)
    const validated = await open.send('/v1/auth/validate', { headers: { 'x-api-key': secret } })
    expect(await validated.json()).toMatchObject({ valid: true })
  })

  it('accepts Bearer in any case and with additional spaces', async () => {
    const open = openGateway()
    const { secret } = await open.key()
    for (const authorization of [`Bearer ${secret}`, `bearer ${secret}`, `BEARER   ${secret} `]) {
      expect((await open.send('/v1/models', { headers: { authorization } })).status).toBe(200)
    }
  })

  it('returns 401 for an expired or revoked key immediately, without a usage record', async () => {
    const open = openGateway()
    const expiring = await open.key({ expiresInDays: 1 })
    const revoked = await open.key()
    expect((await open.chat(expiring.secret)).status).toBe(200)
    expect((await open.chat(revoked.secret)).status).toBe(200)
    open.time += 86_400_000 - 1
    expect((await open.chat(expiring.secret)).status).toBe(200)
    open.time += 1
    await expectFailure(await open.chat(expiring.secret), 401, {
      code: 'invalid_api_key',
      message: expect.stringContaining('expired'),
    })
    await open.gateway.apiKeys.revoke(revoked.key.id)
    await expectFailure(await open.chat(revoked.secret), 401, {
      code: 'invalid_api_key',
      message: expect.stringContaining('revoked'),
    })
    expect(open.records).toHaveLength(3)
  })
})

describe("host's own rule", () => {
  it('opens one operation, closes another one, and decides by the request', async () => {
    const open = openGateway({
      routes: {
        authorize: {
          createChatCompletion: 'open',
          getHealth: 'admin',
          listModels: ({ headers, operation }) =>
            headers['x-user'] === 'ada' && operation === 'listModels' ? { type: 'admin' } : undefined,
        },
      },
    })
    const body = { model: 'big', messages: [{ role: 'user', content: 'x' }] }
    expect((await open.send('/v1/chat/completions', { body })).status).toBe(200)
    expect(open.records[0]).not.toHaveProperty('keyId')
    expect((await open.send('/health')).status).toBe(401)
    expect((await open.send('/v1/models', { headers: { 'x-user': 'ada' } })).status).toBe(200)
    await expectFailure(await open.send('/v1/models', { as: ADMIN }), 401, { code: 'unauthorized' })
  })

  it('applies to every operation without a rule where its name is a star', async () => {
    const open = openGateway({
      routes: {
        authorize: {
          '*': ({ operation }) => (operation === 'listKeys' ? { type: 'admin' } : undefined),
          search: 'open',
        },
      },
    })
    expect((await open.send('/v1/auth/keys')).status).toBe(200)
    expect((await open.send('/health')).status).toBe(401)
    expect((await open.send('/v1/models', { as: ADMIN })).status).toBe(401)
    expect((await open.send('/search?q=x&format=json')).status).not.toBe(401)
  })

  it("leaves the admin's operations to the admin where the word `key` is under a star", async () => {
    const open = openGateway({ routes: { authorize: { '*': 'key', getHealth: 'default' } } })
    const { secret, key } = await open.key()
    for (const [path, method] of [
      ['/v1/auth/keys', 'GET'],
      ['/v1/auth/generate-key', 'POST'],
      [`/v1/auth/keys/${key.id}`, 'DELETE'],
    ] as const) {
      await expectFailure(await open.send(path, { method, as: secret }), 403, { code: 'admin_required' })
    }
    expect((await open.send('/v1/auth/keys', { as: ADMIN })).status).toBe(200)
    expect((await open.send('/v1/models', { as: secret })).status).toBe(200)
    expect((await open.send('/v1/auth/validate')).status).toBe(401)
    expect((await open.send('/health')).status).toBe(200)
  })

  it('gives an operation of the admin to keys where its own id has the word `key`', async () => {
    const open = openGateway({ routes: { authorize: { '*': 'key', listKeys: 'key' } } })
    const { secret, key } = await open.key()
    expect((await open.send('/v1/auth/keys', { as: secret })).status).toBe(200)
    await expectFailure(await open.send(`/v1/auth/keys/${key.id}`, { as: secret }), 403, { code: 'admin_required' })
  })

  it.each([
    true,
    'yes',
    1,
    {},
    { type: 'key' },
    { type: 'key', key: { id: 'without a hash' } },
    { type: 'root' },
  ])('refuses where an unchecked host returns %j, and reports the fault', async (answer) => {
    const unchecked = () => JSON.parse(JSON.stringify(answer))
    const open = openGateway({ routes: { authorize: { '*': unchecked }, admin: unchecked } })
    await expectFailure(await open.send('/v1/auth/keys'), 500, {})
    expect(String(open.faults[0])).toContain("The access rule of 'listKeys' returned neither a caller nor a refusal")
    const asked = openGateway({ routes: { admin: unchecked } })
    for (const as of [ADMIN, 'Bearer x']) {
      expect((await asked.send('/v1/auth/keys', { as })).status).toBe(answer === true ? 200 : 401)
    }
  })

  it('refuses admin credentials where the host accepts none', async () => {
    const open = openGateway({ routes: { admin: () => false } })
    expect((await open.send('/v1/auth/keys', { as: ADMIN })).status).toBe(401)
  })
})

it('returns 401 for several Authorization headers, even if one is right', async () => {
  const { expressRoutes } = await import('@trivium/express-adapter')
  const { gatewayRoutes } = await import('@trivium/gateway-core/http')
  const { default: express } = await import('express')
  const open = openGateway()
  const { secret } = await open.key()
  const server = createServer(express().use(expressRoutes(gatewayRoutes(open.gateway)))).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo // a server that listens on a port has an address
  const status = (headers: readonly string[]) =>
    new Promise((resolve) => {
      const request = httpRequest({ port, host: '127.0.0.1', path: '/v1/models', headers: [...headers, 'host', 'x'] })
      request.on('response', (response) => resolve(response.resume().statusCode)).end()
    })
  expect(await status(['authorization', `Bearer ${secret}`])).toBe(200)
  expect(await status(['authorization', `Bearer ${secret}`, 'Authorization', 'Bearer x'])).toBe(401)
  expect(await status(['authorization', 'Bearer x', 'authorization', `Bearer ${secret}`])).toBe(401)
})
