import { EventEmitter } from 'eventemitter3'
import type { StorageEvents } from './storage-events.ts'

export type Emit = <Name extends keyof StorageEvents>(name: Name, ...values: StorageEvents[Name]) => void

/** Creates an emitter and its `emit`, which reports errors of listeners to `onFault` instead of throwing them. */
export function createEvents(onFault: (error: unknown) => void): {
  readonly events: EventEmitter<StorageEvents>
  readonly emit: Emit
} {
  const events = new EventEmitter<StorageEvents>()
  const emit: Emit = (name, ...values) => {
    try {
      events.emit(name, ...(values as EventEmitter.EventArgs<StorageEvents, typeof name>)) // the same generic type twice
    } catch (error) {
      onFault(error)
    }
  }
  return { events, emit }
}
