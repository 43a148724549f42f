import { EventEmitter, getEventListeners } from 'node:events'

interface Watched {
  readonly subject: WeakRef<object>
  count(): number
}

const watched = new Set<Watched>()
const known = new WeakSet<object>()
const targetTypes = new WeakMap<EventTarget, Set<string>>()

function watch<Subject extends object>(subject: Subject, count: (subject: Subject) => number): void {
  if (known.has(subject)) return
  known.add(subject)
  const reference = new WeakRef(subject)
  watched.add({
    subject: reference,
    count: () => {
      const alive = reference.deref()
      return alive ? count(alive) : 0
    },
  })
}

const emitterCount = (emitter: EventEmitter): number =>
  emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0)

const targetCount = (target: EventTarget): number =>
  [...(targetTypes.get(target) ?? [])].reduce((sum, type) => sum + getEventListeners(target, type).length, 0)

/** Records every emitter and target that gets a listener after this call, by weak references. */
export function watchListeners(): void {
  for (const name of ['on', 'addListener', 'prependListener'] as const) {
    const original = EventEmitter.prototype[name]
    EventEmitter.prototype[name] = function (this: EventEmitter, ...given) {
      watch(this, emitterCount)
      return original.apply(this, given)
    }
  }
  const { addEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function (
    this: EventTarget,
    ...given: Parameters<EventTarget['addEventListener']>
  ) {
    const types = targetTypes.get(this) ?? new Set()
    targetTypes.set(this, types.add(given[0]))
    watch(this, targetCount)
    return addEventListener.apply(this, given)
  }
}

/** Counts the listeners of all recorded objects that are still in memory. Collect the garbage before. */
export function countListeners(): number {
  let sum = 0
  for (const one of watched) {
    if (one.subject.deref() === undefined) watched.delete(one)
    else sum += one.count()
  }
  return sum
}
