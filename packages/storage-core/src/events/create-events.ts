import { EventEmitter } from 'eventemitter3'
import type { StorageEvents } from './storage-events.ts'

export type Emit = <Name extends keyof StorageEvents>(name: Name, ...values: StorageEvents[Name]) => void

/**
 * Creates an emitter and its `emit`, which calls each listener, in the order in which they were added. Errors of
 * listeners go to `onFault` and not to the others. In a listener, `this` is the emitter.
 */
export function createEvents(onFault: (error: unknown) => void): {
  readonly events: EventEmitter<StorageEvents>
  readonly emit: Emit
} {
  const events = new OnceAware<StorageEvents>()
  const emit: Emit = (name, ...values) => {
    for (const listener of events.listeners(name)) {
      // Removes it only if it was added with `once`.
      if (events.usesOnce) events.off(name, listener, undefined, true)
      try {
        Reflect.apply(listener, events, values)
      } catch (error) {
        onFault(error)
      }
    }
  }
  return { events, emit }
}

/** Looking for listeners to remove takes longer than most listeners do. */
class OnceAware<Events extends object> extends EventEmitter<Events> {
  usesOnce = false

  override once<Name extends EventEmitter.EventNames<Events>>(
    event: Name,
    listener: EventEmitter.EventListener<Events, Name>,
    context?: unknown,
  ): this {
    this.usesOnce = true
    return super.once(event, listener, context)
  }
}
