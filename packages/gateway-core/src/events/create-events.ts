import { EventEmitter } from 'eventemitter3'
import type { GatewayEvents } from './gateway-events.ts'

export type Emit = <Name extends keyof GatewayEvents>(name: Name, ...values: GatewayEvents[Name]) => void

/** Creates an emitter and its `emit`, which reports errors of listeners to `onFault` instead of throwing them. */
export function createEvents(onFault: (error: unknown) => void): {
  readonly events: EventEmitter<GatewayEvents>
  readonly emit: Emit
} {
  const events = new EventEmitter<GatewayEvents>()
  const emit: Emit = (name, ...values) => {
    try {
      events.emit(name, ...(values as EventEmitter.EventArgs<GatewayEvents, typeof name>)) // the same generic type twice
    } catch (error) {
      onFault(error)
    }
  }
  return { events, emit }
}
