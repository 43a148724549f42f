import { EventEmitter } from 'eventemitter3'
import type { GatewayEvents } from './gateway-events.ts'

export type Emit = <Name extends keyof GatewayEvents>(name: Name, ...values: GatewayEvents[Name]) => void

/** An emitter, and the one way to emit: what a listener throws goes to `onFault`, and not into the work that emits. */
export function createEvents(onFault: (error: unknown) => void): {
  readonly events: EventEmitter<GatewayEvents>
  readonly emit: Emit
} {
  const events = new EventEmitter<GatewayEvents>()
  const emit: Emit = (name, ...values) => {
    try {
      events.emit(name, ...(values as EventEmitter.EventArgs<GatewayEvents, typeof name>)) // one generic type in two spellings
    } catch (error) {
      onFault(error)
    }
  }
  return { events, emit }
}
