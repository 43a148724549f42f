import type { Gateway, GatewayEvents } from '@trivium/gateway-core'
import type { Route, SocketRoute } from '@trivium/http-contract'
import { EventEmitter } from 'eventemitter3'
import type { GatewayGeneration } from './gateway-generation.ts'
import { RunningWork } from './running-work.ts'

/** What the other parts of the server use of a gateway that may be replaced. */
export type GatewayEventsSource = Pick<Gateway, 'events'>

/** A gateway, and what still runs on it. */
interface Generation extends GatewayGeneration {
  readonly work: RunningWork
}

/**
 * A gateway that can be replaced while requests run. Its routes stay the same, so transports mount them once. Each request
 * is answered by the gateway that is current when it arrives, to its last byte.
 */
export class SwappableGateway {
  /** The events of all gateways. */
  readonly events = new EventEmitter<GatewayEvents>()
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly #onFault: (error: unknown) => void
  readonly #retired = new Map<Generation, Promise<void>>()
  #current: Generation

  constructor(first: GatewayGeneration, onFault: (error: unknown) => void) {
    this.#onFault = onFault
    this.#current = this.#adopt(first)
    this.routes = first.routes.map((route, index) => ({
      ...route,
      handle: (exchange) => {
        const generation = this.#generationOf(exchange.params)
        const { handle } = generation.routes[index] ?? route
        return generation.work.answer(handle, exchange)
      },
    }))
    this.sockets = first.sockets.map((route, index) => ({
      ...route,
      accept: (exchange) => {
        const generation = this.#current
        const { accept } = generation.sockets[index] ?? route
        return generation.work.accept(accept, exchange)
      },
    }))
  }

  get current(): GatewayGeneration {
    return this.#current
  }

  /** Whether one of the gateways runs this response in the background. */
  runs(id: string): boolean {
    return [this.#current, ...this.#retired.keys()].some(({ gateway }) => gateway.storedResponses.runs(id))
  }

  /** Replaces the gateway for new requests. The one before is closed when its last request has ended. */
  replace(next: GatewayGeneration): void {
    const before = this.#current
    this.#current = this.#adopt(next)
    this.#retired.set(before, this.#retire(before))
  }

  /** Closes all gateways. The answers that still run are ended. */
  async close(): Promise<void> {
    const retired = [...this.#retired.keys()]
    await Promise.all([this.#current, ...retired].map((generation) => generation.close()))
  }

  #adopt(generation: GatewayGeneration): Generation {
    for (const name of eventNames) this.#relay(generation.gateway, name)
    return { ...generation, work: new RunningWork() }
  }

  #relay<Name extends keyof GatewayEvents>({ events }: GatewayEventsSource, name: Name): void {
    const emitter: Relayed<Name> = events
    const relayed: Relayed<Name> = this.events
    emitter.on(name, (...values) => relayed.emit(name, ...values))
  }

  /** Only the gateway that runs a response in the background has its events. */
  #generationOf({ response_id: id }: Readonly<Record<string, string>>): Generation {
    if (id === undefined || this.#retired.size === 0) return this.#current
    return [...this.#retired.keys()].find(({ gateway }) => gateway.storedResponses.runs(id)) ?? this.#current
  }

  async #retire(generation: Generation): Promise<void> {
    try {
      // A request may still start a response in the background, and that may be read by another request.
      do {
        await Promise.all([generation.gateway.retire(), generation.work.idle()])
        await generation.gateway.retire()
      } while (!generation.work.isIdle)
      await generation.close()
    } catch (error) {
      this.#onFault(error)
    } finally {
      this.#retired.delete(generation)
    }
  }
}

/** One event of an emitter. */
interface Relayed<Name extends keyof GatewayEvents> {
  on(name: Name, listener: (...values: GatewayEvents[Name]) => void): unknown
  emit(name: Name, ...values: GatewayEvents[Name]): unknown
}

const names: Readonly<Record<keyof GatewayEvents, true>> = {
  'key.created': true,
  'key.changed': true,
  'request.started': true,
  'request.first-byte': true,
  'request.finished': true,
  'limit.exceeded': true,
  'budget.exceeded': true,
  'budget.recovered': true,
  'provider.failed': true,
  'circuit.opened': true,
  'circuit.closed': true,
  'retention.removed': true,
  'retention.waiting': true,
  'usage.dropped': true,
  'guardrail.blocked': true,
  'guardrail.masked': true,
  'guardrail.reported': true,
  'guardrail.failed': true,
  'request-log.dropped': true,
}

// `names` has these keys only.
const eventNames = Object.keys(names) as readonly (keyof GatewayEvents)[]
