import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Connection, InstanceRecord } from '../instances/instance.ts'
import type { ProjectId } from '../projects/project.ts'
import type { LinkCounters } from './link-relay.ts'
import { isLoopbackName } from './loopback-name.ts'
import { type Nic, nicKey } from './nic.ts'
import { isPlaceholder } from './placeholder.ts'

/** Two NICs of a project whose UDP NIOs point at each other, or one NIC that is connected elsewhere. */
export interface Link {
  /** Derived from the ends: the same as long as they are connected in this way. */
  readonly id: string
  /** One end, or two in the order in which their instances were created. */
  readonly ends: readonly LinkEnd[]
}

/** A connected NIC with its instance and counters. */
export interface LinkEnd {
  readonly instance: Pick<InstanceRecord, 'id' | 'kind' | 'name' | 'projectId'>
  readonly connection: Connection
  readonly counters: LinkCounters
}

/** The connections of projects as pairs. */
export interface Links {
  /** Lists the links of a project's instances. */
  list(projectId: ProjectId): ResultAsync<readonly Link[], EmulationError>
}

export function createLinks(context: Context): Links {
  return { list: (projectId) => new ResultAsync(listLinks(context, projectId)) }
}

async function listLinks(context: Context, projectId: ProjectId): Promise<Result<readonly Link[], EmulationError>> {
  await context.recovered()
  const { repositories, relay } = context
  if (!(await repositories.projects.find(projectId))) return err({ type: 'project-not-found', projectId })
  const ends = new Map<string, LinkEnd>()
  const byPort = new Map<number, LinkEnd>()
  const read = (await repositories.instances.list({ projectId })).flatMap((instance) =>
    instance.connections
      .filter((connection) => !isPlaceholder(instance.kind, connection))
      .map(async (connection): Promise<LinkEnd> => {
        return { instance, connection, counters: await relay.counters(nicOf(instance, connection)) }
      }),
  )
  for (const end of await Promise.all(read)) {
    ends.set(keyOf(end), end)
    if (end.connection.nio.type === 'udp') byPort.set(end.connection.nio.localPort, end)
  }
  const links: Link[] = []
  for (const [key, end] of ends) {
    const other = otherEnd(end, byPort)
    if (other) ends.delete(keyOf(other))
    const pair = other && other !== end ? [end, other] : [end]
    links.push({ id: [key, ...pair.slice(1).map(keyOf)].join('--'), ends: pair })
  }
  return ok(links)
}

const nicOf = ({ id }: Pick<InstanceRecord, 'id'>, { adapter, port }: Connection): Nic => ({
  instanceId: id,
  adapter,
  port,
})

const keyOf = ({ instance, connection }: LinkEnd): string => nicKey(nicOf(instance, connection))

function otherEnd({ connection: { nio } }: LinkEnd, byPort: ReadonlyMap<number, LinkEnd>): LinkEnd | undefined {
  if (nio.type !== 'udp' || !isLoopbackName(nio.remoteHost)) return undefined
  const other = byPort.get(nio.remotePort)
  const back = other?.connection.nio
  return back?.type === 'udp' && back.remotePort === nio.localPort && isLoopbackName(back.remoteHost)
    ? other
    : undefined
}
