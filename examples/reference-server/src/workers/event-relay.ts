import type { Caller, GatewayEvents } from '@trivium/gateway-core'
import type { GatewayEventsSource } from '../compose/swappable-gateway.ts'
import type { RelayedEvent } from './calls.ts'

/** How often gathered events are sent. The console shows requests once a second. */
const INTERVAL_MS = 250

/** Sends what the console shows of a worker's gateway. Events that it sums up are gathered, so that requests cost little. */
export function relayEvents({ events }: GatewayEventsSource, send: (relayed: readonly RelayedEvent[]) => void) {
  const gathered = new Map<string, RelayedEvent>()
  let single = 0
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (gathered.size > 0) send([...gathered.values()])
    gathered.clear()
  }
  const gather = (kind: string, event: RelayedEvent) => {
    const count = (gathered.get(kind)?.count ?? 0) + 1
    gathered.set(kind, { ...event, count })
    timer ??= setTimeout(flush, INTERVAL_MS).unref()
  }
  const alone = (event: RelayedEvent) => {
    single += 1
    gather(`alone ${single}`, event)
  }

  events.on('request.finished', (...values) => {
    const [{ model, status }] = values
    gather(`finished ${status < 400} ${model}`, { name: 'request.finished', values, count: 1 })
  })
  // The call itself cannot be sent.
  events.on('limit.exceeded', ({ requestId, caller }, state) =>
    gather(`limit ${nameOf(caller)}`, { name: 'limit.exceeded', values: [{ requestId, caller }, state], count: 1 }),
  )
  events.on('budget.exceeded', ({ requestId, caller }, error) =>
    gather(`budget ${error.type} ${nameOf(caller)}`, {
      name: 'budget.exceeded',
      values: [{ requestId, caller }, error],
      count: 1,
    }),
  )
  events.on('provider.failed', (...values) =>
    gather(`failed ${values[0].provider}`, { name: 'provider.failed', values, count: 1 }),
  )
  events.on('key.created', (...values) => alone({ name: 'key.created', values, count: 1 }))
  events.on('key.changed', (...values) => alone({ name: 'key.changed', values, count: 1 }))
  events.on('circuit.opened', (...values) => alone({ name: 'circuit.opened', values, count: 1 }))
  events.on('circuit.closed', (...values) => alone({ name: 'circuit.closed', values, count: 1 }))
  events.on('usage.dropped', (...values) => alone({ name: 'usage.dropped', values, count: 1 }))
  return { flush }
}

function nameOf(caller: Caller): string {
  if (caller.type === 'key') return `key ${caller.key.id}`
  return caller.type === 'user' ? `user ${caller.id}` : caller.type
}

/** Emits an event of a worker as often as it happened. */
export function emitRelayed({ events }: GatewayEventsSource, relayed: RelayedEvent): void {
  const emitter: { emit(name: keyof GatewayEvents, ...values: readonly unknown[]): unknown } = events
  for (let index = 0; index < relayed.count; index += 1) emitter.emit(relayed.name, ...relayed.values)
}
