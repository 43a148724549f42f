import type { Promisable } from 'type-fest'

/**
 * Opens `replicas` instances over one new, empty store, as that many processes would. Where separate instances are not
 * possible, the list may repeat one instance.
 */
export type OpenReplicas<Port> = (replicas: number) => Promisable<readonly Port[]>

export async function openOne<Port>(open: OpenReplicas<Port>): Promise<Port> {
  const [port] = await open(1)
  if (port === undefined) throw new Error('No instance was opened')
  return port
}

/** Returns a function that selects the instances in turn. */
export function alternating<Port>(ports: readonly Port[]): (index: number) => Port {
  return (index) => {
    const port = ports[index % ports.length]
    if (port === undefined) throw new Error('No instance was opened')
    return port
  }
}
