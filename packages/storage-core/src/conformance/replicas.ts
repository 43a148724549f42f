import type { Promisable } from 'type-fest'

/**
 * Opens that many instances over one store that is new and empty: as many as processes would have. Where instances can't
 * differ, the same one may be in the list several times.
 */
export type OpenReplicas<Port> = (replicas: number) => Promisable<readonly Port[]>

export async function openOne<Port>(open: OpenReplicas<Port>): Promise<Port> {
  const [port] = await open(1)
  if (port === undefined) throw new Error('No instance was opened')
  return port
}

/** Takes the instances in turn. */
export function alternating<Port>(ports: readonly Port[]): (index: number) => Port {
  return (index) => {
    const port = ports[index % ports.length]
    if (port === undefined) throw new Error('No instance was opened')
    return port
  }
}
