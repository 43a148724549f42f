import { once } from 'node:events'
import * as v from 'valibot'
import { WebSocket } from 'ws'
import { createLab, switchPlug, vmPlug } from '../emulation/lab.ts'
import { issueKey } from '../replicas/requests.ts'
import type { ServerProcess } from '../server-process.ts'
import { failings, SUCCESS } from './leaking-upstream.ts'
import { send } from './send.ts'

export interface TourResult {
  /** The secrets that the tour received, each once. */
  readonly tourSecrets: Readonly<Record<string, string>>
  /** All events, and all answers except those whose purpose is to return a secret. */
  readonly received: string
}

const ticketAnswer = v.object({ ticket: v.string() })
const quotaRule = { svm: { name: 'svm1' }, volume: { name: 'vol1' }, type: 'tree', qtree: { name: 'q1' } }

/** Uses everything in all services that has a secret, with success and with failures. */
export async function secretTour(server: ServerProcess): Promise<TourResult> {
  const received: string[] = []
  const record = async (response: Response): Promise<string> => {
    const text = await response.text()
    received.push(`${response.status} ${[...response.headers].join()} ${text}`)
    return text
  }
  const ask = async (path: string, request?: Parameters<ServerProcess['ask']>[1]) =>
    record(await server.ask(path, request))

  const tourSecrets: Record<string, string> = {}
  const first = await issueKey(server, { username: 'ada', rate_limit: 10_000, tokens_per_day: 1_000_000 })
  const second = await issueKey(server, { username: 'ada', name: 'second', expires_in_days: 1 })
  tourSecrets['a key'] = first.api_key
  tourSecrets['a key that is revoked'] = second.api_key
  const rotation = await server.ask(`/v1/auth/keys/${second.key_id}/rotate`, { method: 'POST' })
  tourSecrets['a key that was rotated'] = v.parse(v.object({ api_key: v.string() }), await rotation.json()).api_key
  // From an address of its own: wrong passwords delay the admin at the same address.
  const sendFromOtherAddress = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { text, ...answer } = await send(server.url, { method: 'GET', path, headers, localAddress: '127.0.0.2' })
    received.push(JSON.stringify(answer.headers), text)
  }
  const asKey = (key: string) => ({ authorization: `Bearer ${key}` })
  for (const key of Object.values(tourSecrets)) {
    for (const path of [
      '/v1/models',
      '/v1/auth/validate',
      '/v1/usage',
      '/v1/auth/keys',
      '/v1/projects',
      '/api/cluster',
    ]) {
      await sendFromOtherAddress(path, asKey(key))
    }
    await sendFromOtherAddress('/v1/models', { authorization: `Basic ${btoa(`admin:${key}`)}` })
  }
  await ask(`/v1/auth/keys/${first.key_id}`, { method: 'PATCH', body: { name: 'renamed', rate_limit: 9000 } })
  await ask(`/v1/auth/keys/${first.key_id}`, { method: 'PATCH', body: { rate_limit: -1 } })
  await ask('/v1/auth/generate-key', { method: 'POST', body: { username: 'ada', name: 'renamed' } })
  await ask(`/v1/auth/keys/${second.key_id}`, { method: 'DELETE' })
  await ask('/v1/auth/keys?limit=1000')

  const chat = async (model: string, content: string, stream: boolean) =>
    record(
      await fetch(`${server.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...asKey(first.api_key), 'content-type': 'application/json' },
        body: JSON.stringify({ model, stream, messages: [{ role: 'user', content }] }),
      }),
    )
  for (const model of ['openai/m-1', 'anthropic/m-1', 'nowhere/m-1']) {
    for (const failing of failings) {
      for (const stream of [false, true]) {
        await chat(model, failing, stream)
        await chat(model, SUCCESS, false)
      }
    }
  }
  for (const question of failings.flatMap((failing) => [failing, `${SUCCESS} in spite of ${failing}`])) {
    const query = new URLSearchParams({ q: question, engine: 'brave' })
    await record(await fetch(`${server.url}/search?${query}`, { headers: asKey(first.api_key) }))
  }
  await ask('/v1/images/generations', { method: 'POST', body: { prompt: 'a cat', model: 'local/procedural' } })
  await ask('/v1/usage?group_by=key')
  for (const path of ['/health', '/metrics', '/openapi.json', '/v1/models']) await ask(path)

  const lab = await createLab(server)
  const aborter = new AbortController()
  const notifications = await server.ask(`${lab.path}/notifications`, { signal: aborter.signal })
  const events = collect(notifications)
  const { vm_id: pc } = await lab.create('emu3', { name: 'pc' })
  const device = await lab.createSwitch('switch')
  await lab.cable(vmPlug('emu3', pc), switchPlug(device, 1, 'access', 1))
  await lab.start('emu3', pc)
  const issued = await server.ask(`${lab.path}/emu3/vms/${pc}/console/ticket`, { method: 'POST' })
  const { ticket } = v.parse(ticketAnswer, await issued.json())
  tourSecrets['a console ticket'] = ticket
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}${lab.path}/emu3/vms/${pc}/console/ws?ticket=${ticket}`,
  )
  await once(socket, 'open')
  socket.close()
  await once(socket, 'close')
  for (const path of ['', '/emu3/vms', '/links', '/captures', `/emu3/vms/${pc}/console/ws?ticket=${ticket}`]) {
    await ask(`${lab.path}${path}`)
  }
  await ask(`${lab.path}/emu3/vms/${pc}/stop`, { method: 'POST' })
  await ask(`${lab.path}/emu1/vms`, {
    method: 'POST',
    body: { name: 'vm', emu1_path: '/bin/sh', options: '-monitor stdio' },
  })
  aborter.abort()
  received.push(await events)

  await ask('/api/storage/qtrees', {
    method: 'POST',
    body: { ...quotaRule, type: undefined, qtree: undefined, name: 'q1' },
  })
  await ask('/api/storage/quota/rules', { method: 'POST', body: { ...quotaRule, space: { hard_limit: 1e9 } } })
  await ask('/api/storage/file/clone/tokens', {
    method: 'POST',
    body: { node: { name: 'node1' }, reserve_size: '10G' },
  })
  for (const path of ['quota/rules', 'file/clone/tokens', 'volumes', 'quota/reports', 'nothing']) {
    await ask(`/api/storage/${path}?fields=**`)
  }
  await ask('/api/storage/quota/rules', { method: 'POST', body: { password: 'x', volume: 7 } })
  for (const path of ['/api/cluster/jobs?fields=*', '/metrics']) await ask(path)
  return { tourSecrets, received: received.join('\n') }
}

/** Requests everything that needs the store, after the store was broken. */
export async function requestAll(server: ServerProcess, { tourSecrets }: TourResult): Promise<string> {
  const received: string[] = []
  const headers = { authorization: `Bearer ${tourSecrets['a key']}` }
  for (const path of ['/v1/auth/keys', '/v1/auth/keys/x', '/v1/usage', '/v1/projects', '/api/storage/quota/rules']) {
    const response = await server.ask(path)
    received.push(`${path} ${response.status} ${await response.text()}`)
  }
  for (const path of ['/v1/auth/validate', '/v1/models', '/search?q=x&engine=local']) {
    const response = await fetch(`${server.url}${path}`, { headers })
    received.push(`${path} ${response.status} ${await response.text()}`)
  }
  const created = await server.ask('/v1/auth/generate-key', { method: 'POST', body: { username: 'ada' } })
  received.push(`${created.status} ${await created.text()}`)
  return received.join('\n')
}

/** Reads a response until the client disconnects. */
async function collect(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true })
  } catch {
    // The client has disconnected.
  }
  return text
}
