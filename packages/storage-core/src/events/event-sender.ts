import { EventEmitter } from 'eventemitter3'
import type { StorageEvents } from './storage-events.ts'

export interface EventSender {
  readonly events: EventEmitter<StorageEvents>
  readonly send: <Name extends keyof StorageEvents>(name: Name, ...details: StorageEvents[Name]) => void
}

/** Listeners run inside the work that they are told of, so what they throw must not reach it. */
export function createEventSender(onFault: (error: unknown) => void): EventSender {
  const events = new EventEmitter<StorageEvents>()
  // The emitter's own type wants the arguments of one known name; here the name is any.
  const emit = events.emit.bind(events) as (name: keyof StorageEvents, ...details: readonly unknown[]) => boolean
  return {
    events,
    send: (name, ...details) => {
      try {
        emit(name, ...details)
      } catch (error) {
        onFault(error)
      }
    },
  }
}
