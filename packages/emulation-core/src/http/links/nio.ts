import * as v from 'valibot'
import { MAX_DEVICE, MAX_HOST, MAX_PATH } from '../../bounds.ts'
import type { Nio } from '../../index.ts'
import { describeValue } from '../errors/describe-value.ts'
import { fields, flag, nonEmptyLine, port } from '../requests/fields.ts'
import { impairments } from './impairments.ts'

const device = nonEmptyLine(MAX_DEVICE)
const file = nonEmptyLine(MAX_PATH)

// Clients of the original server send types with the prefix `nio_`. It is optional here.
const udp = { type: v.picklist(['nio_udp', 'udp']), lport: port, rhost: nonEmptyLine(MAX_HOST), rport: port }
const genericEthernet = { type: v.picklist(['nio_generic_ethernet', 'generic_ethernet']), ethernet_device: device }
const linuxEthernet = { type: v.picklist(['nio_linux_ethernet', 'linux_ethernet']), ethernet_device: device }
const tap = { type: v.picklist(['nio_tap', 'tap']), tap_device: device }
const unix = { type: v.picklist(['nio_unix', 'unix']), local_file: file, remote_file: file }
const vde = { type: v.picklist(['nio_vde', 'vde']), control_file: file, local_file: file }
const nothing = { type: v.picklist(['nio_null', 'null']) }

const anyOf = (issue: { readonly input: unknown }) =>
  `${describeValue(issue.input)} is not valid under any of the given schemas`

/** The network's end of a NIC. */
export const nio = v.variant(
  'type',
  [
    fields(udp),
    fields(genericEthernet),
    fields(linuxEthernet),
    fields(tap),
    fields(unix),
    fields(vde),
    fields(nothing),
  ],
  anyOf,
)

/** The fields of a link that a request can have in addition to a NIO. */
export const linkFields = { impairments: v.optional(impairments), link_up: v.optional(flag) }

/** The NIO of a VM, with the fields of the link in the same object. */
export const vmNio = v.variant(
  'type',
  [
    fields({ ...udp, ...linkFields }),
    fields({ ...genericEthernet, ...linkFields }),
    fields({ ...linuxEthernet, ...linkFields }),
    fields({ ...tap, ...linkFields }),
    fields({ ...unix, ...linkFields }),
    fields({ ...vde, ...linkFields }),
    fields({ ...nothing, ...linkFields }),
  ],
  anyOf,
)

export function fromWireNio(wire: v.InferOutput<typeof nio> | v.InferOutput<typeof vmNio>): Nio {
  switch (wire.type) {
    case 'nio_udp':
    case 'udp':
      return { type: 'udp', localPort: wire.lport, remoteHost: wire.rhost, remotePort: wire.rport }
    case 'nio_generic_ethernet':
    case 'generic_ethernet':
      return { type: 'generic-ethernet', device: wire.ethernet_device }
    case 'nio_linux_ethernet':
    case 'linux_ethernet':
      return { type: 'linux-ethernet', device: wire.ethernet_device }
    case 'nio_tap':
    case 'tap':
      return { type: 'tap', device: wire.tap_device }
    case 'nio_unix':
    case 'unix':
      return { type: 'unix', localFile: wire.local_file, remoteFile: wire.remote_file }
    case 'nio_vde':
    case 'vde':
      return { type: 'vde', controlFile: wire.control_file, localFile: wire.local_file }
    case 'nio_null':
    case 'null':
      return { type: 'null' }
  }
}

export function toWireNio(found: Nio): v.InferInput<typeof nio> {
  switch (found.type) {
    case 'udp':
      return { type: 'nio_udp', lport: found.localPort, rhost: found.remoteHost, rport: found.remotePort }
    case 'generic-ethernet':
      return { type: 'nio_generic_ethernet', ethernet_device: found.device }
    case 'linux-ethernet':
      return { type: 'nio_linux_ethernet', ethernet_device: found.device }
    case 'tap':
      return { type: 'nio_tap', tap_device: found.device }
    case 'unix':
      return { type: 'nio_unix', local_file: found.localFile, remote_file: found.remoteFile }
    case 'vde':
      return { type: 'nio_vde', control_file: found.controlFile, local_file: found.localFile }
    case 'null':
      return { type: 'nio_null' }
  }
}
