import { expectOk } from '@trivium/http-client'
import type { EmulationClient } from '../../../hooks/use-emulation.ts'
import { type Choice, isNode, type Kind, type kinds, type TerminalKind } from './kinds.ts'

type ListOf<Name extends `list${Capitalize<Kind>}`> = EmulationClient[Name] extends (
  ...request: never
) => Promise<infer Reply>
  ? Extract<Reply, { readonly status: 200 }> extends { readonly body: readonly (infer Wire)[] }
    ? Wire
    : never
  : never

export type MachineWire = ListOf<'listEmu1'>
export type RouterWire = ListOf<'listEmu2'>
export type VirtualPcWire = ListOf<'listEmu3'>
export type DesktopVmWire = ListOf<'listEmu4'>
export type SwitchWire = ListOf<'listEmu5'>
export type NatWire = ListOf<'listNat'>
export type CloudWire = ListOf<'listCloud'>
export type ContainerWire = ListOf<'listContainer'>

interface InstanceOf<Name extends (typeof kinds)[number], Wire> {
  readonly kind: Name
  readonly id: string
  readonly name: string
  readonly projectId: string
  /** The description of the server. */
  readonly wire: Wire
}

export type SwitchInstance = InstanceOf<'emu5', SwitchWire>

/** An instance of any kind. */
export type Instance =
  | InstanceOf<'emu1', MachineWire>
  | InstanceOf<'emu2', RouterWire>
  | InstanceOf<'emu3', VirtualPcWire>
  | InstanceOf<'emu4', DesktopVmWire>
  | SwitchInstance
  | InstanceOf<'nat', NatWire>
  | InstanceOf<'cloud', CloudWire>
  | InstanceOf<'container', ContainerWire>

export type InstanceState = 'stopped' | 'started' | 'suspended'

/** Reads the instances of all kinds, by name. */
export async function readInstances(
  client: EmulationClient,
  projectId: string,
  signal: AbortSignal,
): Promise<readonly Instance[]> {
  const request = { params: { project_id: projectId }, signal }
  const [machines, routers, virtualPcs, desktopVms, switches, nats, clouds, containers] = await Promise.all([
    expectOk(client.listEmu1(request)),
    expectOk(client.listEmu2(request)),
    expectOk(client.listEmu3(request)),
    expectOk(client.listEmu4(request)),
    expectOk(client.listEmu5(request)),
    expectOk(client.listNat(request)),
    expectOk(client.listCloud(request)),
    expectOk(client.listContainer(request)),
  ])
  const found: readonly Instance[] = [
    ...virtualPcs.map((wire) => ({ kind: 'emu3' as const, id: wire.vm_id, name: wire.name, projectId, wire })),
    ...switches.map((wire) => ({ kind: 'emu5' as const, id: wire.device_id, name: wire.name, projectId, wire })),
    ...machines.map((wire) => ({ kind: 'emu1' as const, id: wire.vm_id, name: wire.name, projectId, wire })),
    ...routers.map((wire) => ({ kind: 'emu2' as const, id: wire.vm_id, name: wire.name, projectId, wire })),
    ...desktopVms.map((wire) => ({ kind: 'emu4' as const, id: wire.vm_id, name: wire.name, projectId, wire })),
    ...nats.map((wire) => ({ kind: 'nat' as const, id: wire.node_id, name: wire.name, projectId, wire })),
    ...clouds.map((wire) => ({ kind: 'cloud' as const, id: wire.node_id, name: wire.name, projectId, wire })),
    ...containers.map((wire) => ({ kind: 'container' as const, id: wire.node_id, name: wire.name, projectId, wire })),
  ]
  return found.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
}

/** Returns what the user has chosen for an instance. */
export const choiceOf = (instance: Instance): Choice =>
  instance.kind === 'emu5' && instance.wire.device_type === 'ethernet_hub' ? 'hub' : instance.kind

/** Returns the path parameters of an instance. */
export function instanceParams({ kind, id, projectId }: Pick<Instance, 'kind' | 'id' | 'projectId'>) {
  if (kind === 'emu5') return { project_id: projectId, device_id: id }
  return isNode(kind) ? { project_id: projectId, node_id: id } : { project_id: projectId, vm_id: id }
}

/** An instance of a kind that has consoles. */
export type TerminalInstance = Extract<Instance, { readonly kind: TerminalKind }>

export const hasTerminal = (instance: Instance): instance is TerminalInstance =>
  instance.kind !== 'emu5' && instance.kind !== 'nat' && instance.kind !== 'cloud'

/** Whether the instance shows its screen by VNC while it runs. */
export const hasDisplay = (instance: Instance): boolean =>
  instance.kind === 'emu1' && instance.wire.console_type === 'vnc'

/** Whether the instance has a console while it runs. */
export function hasConsole(instance: Instance): boolean {
  if (!hasTerminal(instance)) return false
  if (instance.kind === 'emu1' || instance.kind === 'container') return instance.wire.console_type !== 'none'
  return instance.kind !== 'emu4' || instance.wire.enable_remote_console
}
