import { expectOk } from '@trivium/http-client'
import type { EmulationClient } from '../../../hooks/use-emulation.ts'
import type { Instance } from '../kinds/instance.ts'
import { machineOperationsOf, operationsOf } from '../kinds/operations.ts'
import { type Port, portParams } from '../kinds/ports.ts'
import type { Link, LinkEnd } from './link.ts'

/** A port with its instance. */
export interface PortOfInstance {
  readonly instance: Instance
  readonly port: Pick<Port, 'adapter' | 'port'>
}

/**
 * Connects two ports: each gets a UDP port of the server, and sends to that of the other. Removes the first end when the
 * second fails.
 */
export async function connectPorts(client: EmulationClient, one: PortOfInstance, other: PortOfInstance): Promise<void> {
  const near = await reserveUdpPort(client, one)
  const far = await reserveUdpPort(client, other)
  await addNio(client, one, near, far)
  try {
    await addNio(client, other, far, near)
  } catch (error) {
    await removeNio(client, one)
    throw error
  }
}

async function reserveUdpPort(client: EmulationClient, { instance }: PortOfInstance): Promise<number> {
  const { udp_port } = await expectOk(client.createProjectUdpPort({ params: { project_id: instance.projectId } }))
  return udp_port
}

async function addNio(
  client: EmulationClient,
  { instance, port }: PortOfInstance,
  lport: number,
  rport: number,
): Promise<void> {
  const params = portParams(instance, port)
  const nio = { type: 'nio_udp', lport, rhost: '127.0.0.1', rport } as const
  const machine = machineOperationsOf(client, instance.kind)
  await (machine
    ? expectOk(machine.createNio({ params, body: nio }))
    : expectOk(client.createNioEmu5({ params, body: { nio } })))
}

const removeNio = (client: EmulationClient, { instance, port }: PortOfInstance): Promise<undefined> =>
  expectOk(operationsOf(client, instance.kind).deleteNio({ params: portParams(instance, port) }))

/** Returns the path parameters of an end of a link. */
export const endParams = (projectId: string, { kind, id, adapter_number, port_number }: LinkEnd) =>
  portParams({ kind, id, projectId }, { adapter: adapter_number, port: port_number })

/** Removes a link at its ends. */
export async function removeLink(client: EmulationClient, projectId: string, { ends }: Link): Promise<void> {
  for (const end of ends) {
    await expectOk(operationsOf(client, end.kind).deleteNio({ params: endParams(projectId, end) }))
  }
}
