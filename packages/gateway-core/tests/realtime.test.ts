import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expressRoutes, expressSockets } from '@trivium/express-adapter'
import { createGateway, type GatewayOptions, type UsageRecord } from '@trivium/gateway-core'
import { gatewayRoutes, gatewaySocketRoutes } from '@trivium/gateway-core/http'
import { adminCheck } from '@trivium/http-contract'
import { localProvider } from '@trivium/local-provider'
import { openAiProvider } from '@trivium/openai-provider'
import express from 'express'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'

interface Upstream {
  readonly origin: string
  readonly connections: {
    readonly url: string
    readonly authorization: string | undefined
    readonly socket: WebSocket
  }[]
  readonly messages: string[]
}

const done = (input: number, output: number) =>
  JSON.stringify({ type: 'response.done', response: { usage: { input_tokens: input, output_tokens: output } } })

/** A realtime upstream that greets, and answers each `response.create` with 12 tokens. */
async function realtimeUpstream(refuses = false): Promise<Upstream> {
  const server = createServer((_, response) => response.end('{"data":[{"id":"gpt-realtime"}]}'))
  const sockets = new WebSocketServer({ noServer: true })
  const connections: Upstream['connections'] = []
  const messages: string[] = []
  server.on('upgrade', (request, socket, head) => {
    if (refuses) {
      socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (open) => {
      connections.push({ url: request.url ?? '', authorization: request.headers.authorization, socket: open })
      open.send(JSON.stringify({ type: 'session.created', session: { id: 'sess_1' } }))
      open.on('message', (data) => {
        messages.push(String(data))
        if (String(data).includes('response.create')) open.send(done(5, 7))
      })
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const { socket } of connections) socket.terminate()
    server.close()
    server.closeAllConnections()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections, messages }
}

/** Makes a key and a certificate for `localhost`: the SDK connects over TLS only. */
async function selfSigned() {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-realtime-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const [cert, key] = [join(directory, 'certificate.pem'), join(directory, 'key.pem')]
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', cert, '-subj', '/CN=localhost', '-days', '2'],
  ])
  return { cert: await readFile(cert), key: await readFile(key) }
}

async function servedGateway(
  origin: string,
  options: Partial<GatewayOptions> = {},
  tls?: { readonly cert: Buffer; readonly key: Buffer },
  models?: readonly string[],
) {
  const provider = openAiProvider({ baseUrl: `${origin}/v1`, apiKey: 'sk-upstream', ...(models && { models }) })
  const gateway = createGateway({ providers: [provider], ...options })
  const records: UsageRecord[] = []
  gateway.events.on('request.finished', (record) => records.push(record))
  const app = express().use('/ai', expressRoutes(gatewayRoutes(gateway, { admin: adminCheck('secret') })))
  const server = tls ? createSecureServer(tls, app) : createServer(app)
  const attached = await expressSockets(server, gatewaySocketRoutes(gateway), { prefix: '/ai' })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    await attached.close()
    await gateway.close()
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ai/v1`
  const issue = async (budget = {}) =>
    (await gateway.apiKeys.generate({ username: 'ada', rateLimit: 1000, budget }))._unsafeUnwrap()
  return { gateway, records, url, issue, attached }
}

const realtimeUrl = (url: string, query = '?model=openai/gpt-realtime') =>
  `${url.replace('http', 'ws')}/realtime${query}`

/** Resolves with the status that refuses an upgrade, or 101. */
const statusOf = (socket: WebSocket) =>
  new Promise<number>((resolve) => {
    socket.on('error', () => undefined)
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.once('open', () => {
      resolve(101)
      socket.close()
    })
  })

const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } })

const messageOf = async (socket: WebSocket): Promise<string> => {
  const [data] = await once(socket, 'message')
  return String(data)
}

describe('a realtime session', () => {
  it('relays messages in both directions, and counts the tokens that answers report', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue, records } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const socket = new WebSocket(realtimeUrl(url), ['realtime'], bearer(secret))
    expect(await messageOf(socket)).toContain('session.created')
    socket.send('{"type":"response.create"}')
    expect(await messageOf(socket)).toBe(done(5, 7))
    socket.send('{"type":"response.create"}')
    await messageOf(socket)
    socket.close()
    await once(socket, 'close')
    await expect
      .poll(() => records)
      .toMatchObject([{ status: 200, inputTokens: 10, outputTokens: 14, streamed: true, operation: 'realtime' }])
    expect(upstream.connections).toMatchObject([
      { url: '/v1/realtime?model=gpt-realtime', authorization: 'Bearer sk-upstream' },
    ])
  })

  it('opens with a model that the upstream lists or the host names, which has no dialects', async () => {
    const upstream = await realtimeUpstream()
    for (const models of [undefined, ['gpt-realtime']]) {
      const { url, issue, gateway } = await servedGateway(upstream.origin, {}, undefined, models)
      const { secret } = await issue()
      expect(await gateway.models.list('realtime')).toMatchObject([{ id: 'openai/gpt-realtime' }])
      const listed = (await (await fetch(`${url}/models`, bearer(secret))).json()) as { data: readonly object[] }
      expect(listed.data).toEqual([
        {
          id: 'openai/gpt-realtime',
          object: 'model',
          created: 0,
          owned_by: expect.any(String),
          context_length: 32_000,
          pricing: expect.any(Object),
        },
      ])
      expect(await statusOf(new WebSocket(realtimeUrl(url), bearer(secret)))).toBe(101)
    }
  })

  it('serves the official SDK, which sends its key in a header', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin, {}, await selfSigned())
    const { secret } = await issue()
    const client = new OpenAI({ baseURL: url.replace('http', 'https'), apiKey: secret })
    const session = await OpenAIRealtimeWS.create(client, {
      model: 'openai/gpt-realtime',
      options: { rejectUnauthorized: false },
    })
    await new Promise((resolve) => session.on('session.created', resolve))
    const answered = new Promise((resolve) => session.on('response.done', resolve))
    session.send({ type: 'response.create' })
    expect(await answered).toMatchObject({ response: { usage: { output_tokens: 7 } } })
    session.close()
  })

  it('accepts the key as a subprotocol, as pages send it', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const protocols = ['realtime', `openai-insecure-api-key.${secret}`]
    const socket = new WebSocket(realtimeUrl(url), protocols, { origin: 'https://page.example' })
    expect(await messageOf(socket)).toContain('session.created')
    expect(socket.protocol).toBe('realtime')
    socket.close()
  })

  it('closes on the side of the client when the upstream closes or is cut off', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue, records } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const first = new WebSocket(realtimeUrl(url), bearer(secret))
    await messageOf(first)
    upstream.connections[0]?.socket.close(1000)
    expect((await once(first, 'close'))[0]).toBe(1000)
    const second = new WebSocket(realtimeUrl(url), bearer(secret))
    await messageOf(second)
    upstream.connections[1]?.socket.terminate()
    expect((await once(second, 'close'))[0]).toBe(1011)
    await expect.poll(() => records).toMatchObject([{ status: 200 }, { status: 502, partial: true }])
  })

  it('ends the session of the upstream when the client disconnects', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const socket = new WebSocket(realtimeUrl(url), bearer(secret))
    await messageOf(socket)
    const [connection] = upstream.connections
    const ended = connection && once(connection.socket, 'close')
    socket.terminate()
    await ended
  })

  it('estimates an answer whose client leaves before its end', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue, records } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const socket = new WebSocket(realtimeUrl(url), bearer(secret))
    await messageOf(socket)
    socket.send('{"type":"response.create"}')
    await messageOf(socket)
    const delta = { type: 'response.output_audio.delta', response_id: 'r', delta: 'A'.repeat(32_000) }
    upstream.connections[0]?.socket.send(JSON.stringify(delta))
    await messageOf(socket)
    socket.terminate()
    await expect
      .poll(() => records)
      .toMatchObject([{ status: 200, inputTokens: 5 + 12, outputTokens: 7 + 10, partial: true, estimated: true }])
  })

  it('ends with an error event where the budget is exceeded', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue, records } = await servedGateway(upstream.origin)
    const { secret } = await issue({ tokensPerDay: 20 })
    const socket = new WebSocket(realtimeUrl(url), bearer(secret))
    await messageOf(socket)
    socket.send('{"type":"response.create"}')
    await messageOf(socket)
    const closed = once(socket, 'close')
    const last = new Promise((resolve) => {
      socket.on('message', (data) => String(data).includes('"error"') && resolve(String(data)))
    })
    socket.send('{"type":"response.create"}')
    expect(await last).toContain('rate_limit_exceeded')
    expect((await closed)[0]).toBe(1008)
    await expect.poll(() => records).toMatchObject([{ inputTokens: 10, outputTokens: 14 }])
    expect(await statusOf(new WebSocket(realtimeUrl(url), bearer(secret)))).toBe(429)
  })

  it('refuses an upgrade before the socket opens, with the status of the cause', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin, { realtime: { maxSessionsPerCaller: 1 } })
    const { secret } = await issue()
    const as = bearer(secret)
    expect(await statusOf(new WebSocket(realtimeUrl(url)))).toBe(401)
    expect(await statusOf(new WebSocket(realtimeUrl(url), bearer('tvm_wrong')))).toBe(401)
    expect(await statusOf(new WebSocket(realtimeUrl(url, ''), as))).toBe(400)
    expect(await statusOf(new WebSocket(realtimeUrl(url, '?model=openai/none'), as))).toBe(404)
    const open = new WebSocket(realtimeUrl(url), as)
    await messageOf(open)
    expect(await statusOf(new WebSocket(realtimeUrl(url), as))).toBe(429)
    open.close()
    const refusing = await servedGateway((await realtimeUpstream(true)).origin, { retries: { retries: 0 } })
    const other = await refusing.issue()
    expect(await statusOf(new WebSocket(realtimeUrl(refusing.url), bearer(other.secret)))).toBe(502)
  })

  it('needs an upgrade', async () => {
    const { url } = await servedGateway((await realtimeUpstream()).origin)
    const answer = await fetch(`${url}/realtime?model=x`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'websocket_required' } }])
  })

  it('ends when it has no messages for the idle time', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin, { realtime: { idleSeconds: 1 } })
    const { secret } = await issue()
    const socket = new WebSocket(realtimeUrl(url), bearer(secret))
    const [code, reason] = await once(socket, 'close')
    expect([code, String(reason)]).toEqual([1000, 'The session had no messages for too long.'])
  })

  it('ends where its key is revoked or rotated, and stays open where another one is', async () => {
    const upstream = await realtimeUpstream()
    const { gateway, issue, url, records } = await servedGateway(upstream.origin)
    const [revoked, rotated, other] = [await issue(), await issue(), await issue()]
    const open = async ({ secret }: { readonly secret: string }) => {
      const socket = new WebSocket(realtimeUrl(url), bearer(secret))
      await messageOf(socket)
      return socket
    }
    const sockets = [await open(revoked), await open(rotated), await open(other)] as const
    const closed = sockets.slice(0, 2).map((socket) => once(socket, 'close'))
    await gateway.apiKeys.revoke(revoked.key.id)
    await gateway.apiKeys.rotate(rotated.key.id)
    for (const [code, reason] of await Promise.all(closed)) {
      expect([code, String(reason)]).toEqual([1008, 'The API key is no longer valid.'])
    }
    sockets[2].send(JSON.stringify({ type: 'response.create' }))
    expect(await messageOf(sockets[2])).toBe(done(5, 7))
    expect(records).toMatchObject([{ status: 200 }, { status: 200 }])
    sockets[2].close()
  })

  it('ends with the gateway', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue, gateway } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const socket = new WebSocket(realtimeUrl(url), bearer(secret))
    await messageOf(socket)
    const closed = once(socket, 'close')
    await gateway.close()
    expect((await closed)[0]).toBe(1001)
  })
})

describe('a client secret', () => {
  const create = (url: string, secret: string, body: object) =>
    fetch(`${url}/realtime/client_secrets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const session = { type: 'realtime', model: 'openai/gpt-realtime', instructions: 'Be kind.' }

  it('opens a session with its model and configuration, without the key', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const client = new OpenAI({ baseURL: url, apiKey: secret })
    const created = await client.realtime.clientSecrets.create({
      session: { type: 'realtime', model: 'openai/gpt-realtime', instructions: 'Be kind.' },
    })
    expect(created.value).toMatch(/^ek_/)
    expect(created.value).not.toContain(secret)
    const socket = new WebSocket(realtimeUrl(url, ''), ['realtime', `openai-insecure-api-key.${created.value}`], {
      origin: 'https://page.example',
    })
    await messageOf(socket)
    await expect
      .poll(() => upstream.messages)
      .toEqual(['{"type":"session.update","session":{"type":"realtime","instructions":"Be kind."}}'])
    socket.close()
  })

  it('needs a model with realtime sessions, and a caller with a key', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin, { providers: [localProvider()] })
    const { secret } = await issue()
    for (const model of ['openai/none', 'local/none', 'local/echo-no-llm']) {
      const refused = await create(url, secret, { session: { type: 'realtime', model } })
      expect([refused.status, await refused.json()]).toMatchObject([404, { error: { code: 'model_not_found' } }])
    }
    const absent = await create(url, secret, { session: { type: 'realtime', model: 'local/echo-no-llm' } })
    expect(await absent.json()).toMatchObject({
      error: { message: "The model 'echo-no-llm' does not support realtime sessions." },
    })
    const keyless = await create(url, 'secret', { session })
    expect([keyless.status, await keyless.json()]).toMatchObject([403, { error: { code: 'api_key_required' } }])
  })

  it('opens no session with another model than its own', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const { value } = (await (await create(url, secret, { session })).json()) as { value: string }
    expect(await statusOf(new WebSocket(realtimeUrl(url, '?model=openai/other'), bearer(value)))).toBe(400)
    expect(upstream.connections).toHaveLength(0)
    expect(await statusOf(new WebSocket(realtimeUrl(url), bearer(value)))).toBe(101)
  })

  it.each([
    ['address', { ipRanges: ['203.0.113.0/24'] }, 'address_not_allowed'],
    ['operation', { endpoints: ['createClientSecret'] }, 'endpoint_not_allowed'],
    ['model', { models: ['openai/other'] }, 'model_not_allowed'],
    ['use at all', { disabled: true }, 'api_key_disabled'],
  ])('opens no session whose %s is not allowed to its key, its team or its user', async (_, policy, code) => {
    const upstream = await realtimeUpstream()
    const { url, gateway } = await servedGateway(upstream.origin)
    const team = (await gateway.groups.create({ kind: 'team', name: 'red' }))._unsafeUnwrap()
    const issued = await gateway.apiKeys.generate({ username: 'ada', teamId: team.id })
    const { key } = issued._unsafeUnwrap()
    const secret = await gateway.clientSecrets.create(key, session, 60)
    const refusal = async () => {
      const socket = new WebSocket(realtimeUrl(url), bearer(secret?.value ?? ''))
      socket.on('error', () => undefined)
      const [, response] = await once(socket, 'unexpected-response')
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      return JSON.parse(Buffer.concat(chunks).toString()).error.code
    }
    await gateway.apiKeys.change(key.id, { policy })
    expect(await refusal()).toBe(code)
    await gateway.apiKeys.change(key.id, {
      policy: { ipRanges: null, endpoints: null, models: null, disabled: null },
    })
    await gateway.groups.change('team', team.id, { policy })
    expect(await refusal()).toBe(code)
    expect(upstream.connections).toHaveLength(0)
  })

  it('opens no other operation', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const { value } = (await (await create(url, secret, { session })).json()) as { value: string }
    const models = await fetch(`${url}/models`, bearer(value))
    expect(models.status).toBe(401)
  })

  it('ends with its time, and with its key', async () => {
    const upstream = await realtimeUpstream()
    let time = Date.now()
    const { url, issue, gateway } = await servedGateway(upstream.origin, { now: () => new Date(time) })
    const { secret, key } = await issue()
    const make = async () => {
      const answer = await create(url, secret, { session, expires_after: { anchor: 'created_at', seconds: 60 } })
      return ((await answer.json()) as { value: string }).value
    }
    const value = await make()
    const changed = `${value.slice(0, -3)}${value.endsWith('aaa') ? 'bbb' : 'aaa'}`
    expect(await statusOf(new WebSocket(realtimeUrl(url, ''), bearer(changed)))).toBe(401)
    expect(await statusOf(new WebSocket(realtimeUrl(url, ''), bearer(value)))).toBe(101)
    time += 61_000
    expect(await statusOf(new WebSocket(realtimeUrl(url, ''), bearer(value)))).toBe(401)
    const later = await make()
    await gateway.apiKeys.rotate(key.id)
    expect(await statusOf(new WebSocket(realtimeUrl(url, ''), bearer(later)))).toBe(401)
  })

  it('names the field of a session that is too large or malformed', async () => {
    const upstream = await realtimeUpstream()
    const { url, issue } = await servedGateway(upstream.origin)
    const { secret } = await issue()
    const large = await create(url, secret, { session: { ...session, instructions: 'x'.repeat(5000) } })
    expect(await large.json()).toMatchObject({ error: { param: 'session', code: 'session_too_large' } })
    const wrong = await create(url, secret, { session: { type: 'realtime' } })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { param: 'session.model' } }])
  })
})
