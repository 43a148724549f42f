import { EventEmitter } from 'eventemitter3'
import type { EmulationEvents } from './emulation-events.ts'

export type Emit = <Name extends keyof EmulationEvents>(name: Name, ...values: EmulationEvents[Name]) => void

/** Creates an emitter and a function that emits. Errors of listeners go to `onFault`, not to the caller that emits. */
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
