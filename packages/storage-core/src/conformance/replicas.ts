import type { Promisable } from 'type-fest'

/**
 * Opens `replicas` instances over one new and empty store, one for each simulated process. The list may contain one
 * instance several times where a store has only one.
 */
export type OpenReplicas<Port> = (replicas: number) => Promisable<readonly Port[]>

export async function openOne<Port>(open: OpenReplicas<Port>): Promise<Port> {
  const [port] = await open(1)
  if (port === undefined) throw new Error('No instance was opened')
  return port
}

/** Returns the instances in turn, by an index. */
export function alternating<Port>(ports: readonly Port[]): (index: number) => Port {
  return (index) => {
    const port = ports[index % ports.length]
    if (port === undefined) throw new Error('No instance was opened')
    return port
  }
}
