import { expectOk } from '@trivium/http-client'
import type { EmulationClient } from '../../../hooks/use-emulation.ts'

export type Link = Awaited<ReturnType<typeof readLinks>>[number]
/** One end of a link, at a port of an instance. */
export type LinkEnd = Link['ends'][number]
/** The impairment of one direction of a link. */
export type Impairment = { readonly [Name in keyof NonNullable<LinkEnd['impairments']['outgoing']>]-?: number }

/** Reads the links of a project. */
export const readLinks = (client: EmulationClient, projectId: string, signal: AbortSignal) =>
  expectOk(client.listLinks({ params: { project_id: projectId }, signal }))

/** Names an end for people: `PC1 0/0`; of a switch, `Switch1 port 3`. */
export const endName = ({ kind, name, adapter_number, port_number }: LinkEnd): string =>
  kind === 'emu5' ? `${name} port ${port_number}` : `${name} ${adapter_number}/${port_number}`

/** Names the other side of a link with one end. */
export function outsideName({ nio }: LinkEnd): string {
  switch (nio.type) {
    case 'nio_udp':
    case 'udp':
      return `${nio.rhost}:${nio.rport}`
    case 'nio_tap':
    case 'tap':
      return nio.tap_device
    case 'nio_generic_ethernet':
    case 'generic_ethernet':
    case 'nio_linux_ethernet':
    case 'linux_ethernet':
      return nio.ethernet_device
    case 'nio_unix':
    case 'unix':
      return nio.remote_file
    case 'nio_vde':
    case 'vde':
      return nio.control_file
    case 'nio_null':
    case 'null':
      return 'nothing'
  }
}

/** Names a link by its ends: `PC1 0/0 – Switch1 port 3`. */
export function linkName({ ends }: Link): string {
  const [first, second] = ends
  if (!first) return 'no ends'
  return `${endName(first)} – ${second ? endName(second) : outsideName(first)}`
}
