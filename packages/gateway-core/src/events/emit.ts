import { EventEmitter } from 'eventemitter3'
import type { GatewayEvents } from './gateway-events.ts'

export type GatewayEventEmitter = EventEmitter<GatewayEvents>

export type Emit = <Name extends keyof GatewayEvents>(name: Name, ...values: GatewayEvents[Name]) => void

/** An emitter, and the one way to emit: a listener's fault is not the request's. */
export function createEvents(onFault: (error: unknown) => void): { events: GatewayEventEmitter; emit: Emit } {
  const events: GatewayEventEmitter = new EventEmitter()
  const emit: Emit = (name, ...values) => {
    if (events.listenerCount(name) === 0) return
    try {
      events.emit(name, ...(values as EventEmitter.EventArgs<GatewayEvents, typeof name>)) // one generic type in two spellings
    } catch (error) {
      onFault(error)
    }
  }
  return { events, emit }
}
