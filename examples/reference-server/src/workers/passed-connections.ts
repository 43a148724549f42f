import type { ChildProcess } from 'node:child_process'

/** A connection that is passed to a worker. The primary closes its own copy once the worker has confirmed it. */
interface PassedConnection {
  /** Below 0 where it is closed. */
  readonly fd: number
  close(): void
}

/**
 * Closes the connections that a worker has not confirmed when it ends. Node leaves them open in the primary, and their
 * clients would wait.
 */
export function closeUnconfirmed(child: ChildProcess): void {
  const passed = new Set<PassedConnection>()
  const { send } = child
  child.send = (...given: readonly unknown[]): boolean => {
    const [, connection] = given
    if (isConnection(connection)) {
      for (const each of passed) if (each.fd < 0) passed.delete(each)
      passed.add(connection)
    }
    return Reflect.apply(send, child, given)
  }
  child.once('exit', () => {
    for (const connection of passed) connection.close()
  })
}

const isConnection = (value: unknown): value is PassedConnection =>
  typeof value === 'object' &&
  value !== null &&
  'fd' in value &&
  typeof value.fd === 'number' &&
  'close' in value &&
  typeof value.close === 'function'
