import { EventEmitter } from 'eventemitter3'
import type { EmulationEvents } from './emulation-events.ts'

export type Emit = <Name extends keyof EmulationEvents>(name: Name, ...values: EmulationEvents[Name]) => void

/** Creates an emitter and its `emit`, which reports errors of listeners to `onFault` instead of throwing them. */
export function createEvents(onFault: (error: unknown) => void): {
  readonly events: EventEmitter<EmulationEvents>
  readonly emit: Emit
} {
  const events = new EventEmitter<EmulationEvents>()
  const emit: Emit = (name, ...values) => {
    try {
      events.emit(name, ...(values as EventEmitter.EventArgs<EmulationEvents, typeof name>)) // the same generic type twice
    } catch (error) {
      onFault(error)
    }
  }
  return { events, emit }
}
