import { EventEmitter } from 'eventemitter3'
import type { EmulationEvents } from './emulation-events.ts'

export type Emit = <Name extends keyof EmulationEvents>(name: Name, ...values: EmulationEvents[Name]) => void

/** An emitter, and the one way to emit: what a listener throws goes to `onFault`, and not into the work that emits. */
export function createEvents(onFault: (error: unknown) => void): {
  readonly events: EventEmitter<EmulationEvents>
  readonly emit: Emit
} {
  const events = new EventEmitter<EmulationEvents>()
  const emit: Emit = (name, ...values) => {
    try {
      events.emit(name, ...(values as EventEmitter.EventArgs<EmulationEvents, typeof name>)) // one generic type in two spellings
    } catch (error) {
      onFault(error)
    }
  }
  return { events, emit }
}
