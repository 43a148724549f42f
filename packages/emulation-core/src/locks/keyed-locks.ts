/** Locks by key. A lock exists while it is held. It is granted in the order of requests. */
export interface KeyedLocks<Key extends string = string> {
  /** Runs the task while no one else holds the key. */
  exclusive<T>(key: Key, task: () => Promise<T>): Promise<T>
  /** Runs the task while no one holds the key exclusively. */
  shared<T>(key: Key, task: () => Promise<T>): Promise<T>
  /** Lists the keys that are held. */
  keys(): readonly Key[]
}

interface Lock {
  /** The number of shared holders, or -1 for an exclusive one. */
  holders: number
  readonly waiting: { readonly mode: Mode; readonly proceed: () => void }[]
}

type Mode = 'exclusive' | 'shared'

export function createKeyedLocks<Key extends string = string>(): KeyedLocks<Key> {
  const locks = new Map<Key, Lock>()

  const admits = (lock: Lock, mode: Mode) => (mode === 'exclusive' ? lock.holders === 0 : lock.holders >= 0)

  const hold = (lock: Lock, mode: Mode) => {
    lock.holders = mode === 'exclusive' ? -1 : lock.holders + 1
  }

  const acquire = (key: Key, mode: Mode): Promise<void> | undefined => {
    const lock = locks.get(key)
    if (!lock) {
      locks.set(key, { holders: mode === 'exclusive' ? -1 : 1, waiting: [] })
      return undefined
    }
    if (lock.waiting.length === 0 && admits(lock, mode)) {
      hold(lock, mode)
      return undefined
    }
    return new Promise((proceed) => lock.waiting.push({ mode, proceed }))
  }

  const release = (key: Key) => {
    const lock = locks.get(key)
    if (!lock) return
    lock.holders = lock.holders === -1 ? 0 : lock.holders - 1
    for (let next = lock.waiting[0]; next && admits(lock, next.mode); next = lock.waiting[0]) {
      lock.waiting.shift()
      hold(lock, next.mode)
      next.proceed()
    }
    if (lock.holders === 0 && lock.waiting.length === 0) locks.delete(key)
  }

  const run = async <T>(key: Key, mode: Mode, task: () => Promise<T>): Promise<T> => {
    await acquire(key, mode)
    try {
      return await task()
    } finally {
      release(key)
    }
  }

  return {
    exclusive: (key, task) => run(key, 'exclusive', task),
    shared: (key, task) => run(key, 'shared', task),
    keys: () => [...locks.keys()],
  }
}
