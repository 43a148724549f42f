import { inspect } from 'node:util'
import type { GatewayEvents } from '@trivium/gateway-core'
import { expect, it } from 'vitest'
import { ADMIN, openGateway } from './open-gateway.ts'

/** The names of all events. A new event does not compile until it is here. */
const names: Readonly<Record<keyof GatewayEvents, true>> = {
  'key.created': true,
  'key.changed': true,
  'request.started': true,
  'request.first-byte': true,
  'request.finished': true,
  'limit.exceeded': true,
  'budget.exceeded': true,
  'budget.recovered': true,
  'guardrail.blocked': true,
  'guardrail.masked': true,
  'guardrail.reported': true,
  'guardrail.failed': true,
  'provider.failed': true,
  'circuit.opened': true,
  'circuit.closed': true,
  'retention.removed': true,
  'retention.waiting': true,
  'usage.dropped': true,
  'request-log.dropped': true,
}

it('keeps secrets out of events, faults and usage records', async () => {
  const open = openGateway()
  const received = new Map<string, string>()
  for (const name of Object.keys(names)) {
    open.gateway.events.on(name as keyof GatewayEvents, (...details: unknown[]) => {
      const output = inspect(details, { depth: Infinity, showHidden: true, getters: true }) + JSON.stringify(details)
      received.set(name, (received.get(name) ?? '') + output)
    })
  }
  const { secret, key } = await open.key({ rateLimit: 2, budget: { tokensPerMinute: 1_000_000 } })
  for (let count = 0; count < 3; count += 1) await open.chat(secret)
  const { api_key: rotated } = await (
    await open.send(`/v1/auth/keys/${key.id}/rotate`, { method: 'POST', as: ADMIN })
  ).json()
  await open.send(`/v1/auth/keys/${key.id}`, { method: 'PATCH', as: ADMIN, body: { name: 'other', rate_limit: 5 } })
  await open.send('/v1/chat/completions', { as: rotated, body: { model: 'big', messages: [] } })
  await open.send(`/v1/auth/keys/${key.id}`, { method: 'DELETE', as: ADMIN })

  expect([...received.keys()]).toEqual(
    expect.arrayContaining(['key.created', 'key.changed', 'request.started', 'request.finished', 'limit.exceeded']),
  )
  const output = [...received.values(), inspect([open.faults, open.records], { depth: Infinity })].join('\n')
  for (const word of [secret, rotated, 'secret:', ADMIN]) expect(output.includes(word), word).toBe(false)
})
