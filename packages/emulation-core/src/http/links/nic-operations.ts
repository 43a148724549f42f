import { type Contract, type Handlers, noBody } from '@trivium/http-contract'
import * as v from 'valibot'

import type { Emulation, Kind } from '../../index.ts'
import type { ConnectionChanges } from '../../links/connections.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'

import { portSettings } from '../kinds/ethernet-switch.ts'
import { fields } from '../requests/fields.ts'
import { placeOf } from '../requests/places.ts'
import { fromWireImpairments, type impairments } from './impairments.ts'
import { connection, toWireConnection } from './link-schemas.ts'
import { fromWireNio, linkFields, nio, vmNio } from './nio.ts'

const linkChanges = v.optional(fields(linkFields), {})

/** The operations on a connected NIC of any kind. */
export function nicOperations(kind: Kind) {
  const { nic, inNic, tag } = placeOf(kind)
  const common = { path: `${nic}/nio`, tags: [tag], params: inNic } as const
  return {
    getNio: {
      ...common,
      method: 'GET',
      summary: 'Reads the NIO of the NIC with its impairments, link state, capture and counters',
      responses: { 200: connection, ...failureResponses },
    },
    updateNio: {
      ...common,
      method: 'PUT',
      summary: 'Changes impairments or the link state without disconnecting the NIC',
      body: linkChanges,
      responses: { 200: connection, ...failureResponses },
    },
    deleteNio: {
      ...common,
      method: 'DELETE',
      summary: 'Disconnects the NIC and ends its capture',
      responses: { 204: noBody, ...failureResponses },
    },
  } as const satisfies Contract
}

export function vmNioOperations(kind: Kind) {
  const { nic, inNic, tag } = placeOf(kind)
  return {
    createNio: {
      method: 'POST',
      path: `${nic}/nio`,
      summary: 'Connects the NIC or replaces its NIO, also while the instance runs',
      tags: [tag],
      params: inNic,
      body: vmNio,
      responses: { 201: vmNio, ...failureResponses },
    },
  } as const satisfies Contract
}

const deviceNio = fields({
  nio,
  port_settings: v.optional(portSettings),
  // Only device types that this server does not have use mappings.
  mappings: v.optional(fields({})),
  ...linkFields,
})

export function deviceNioOperations() {
  const { nic, inNic, tag } = placeOf('ethernet-switch')
  return {
    createNio: {
      method: 'POST',
      path: `${nic}/nio`,
      summary: 'Connects a free switch port, with its VLAN settings',
      tags: [tag],
      params: inNic,
      body: deviceNio,
      responses: { 201: nio, ...failureResponses },
    },
  } as const satisfies Contract
}

type WireLink = {
  readonly impairments?: v.InferOutput<typeof impairments> | undefined
  readonly link_up?: boolean | undefined
}

const changes = (wire: WireLink): ConnectionChanges => ({
  ...(wire.impairments ? { impairments: fromWireImpairments(wire.impairments) } : {}),
  ...(wire.link_up === undefined ? {} : { linkUp: wire.link_up }),
})

export function nicHandlers({ connections }: Emulation, kind: Kind): Handlers<ReturnType<typeof nicOperations>> {
  return {
    getNio: ({ params: { nic, ...instance } }) =>
      connections
        .find({ ...instance, kind }, nic)
        .match((found) => ({ status: 200, body: toWireConnection(found) }) as const, toFailure),
    updateNio: ({ params: { nic, ...instance }, body }) =>
      connections
        .change({ ...instance, kind }, nic, changes(body))
        .andThen(() => connections.find({ ...instance, kind }, nic))
        .match((found) => ({ status: 200, body: toWireConnection(found) }) as const, toFailure),
    deleteNio: ({ params: { nic, ...instance } }) =>
      connections.disconnect({ ...instance, kind }, nic).match(() => ({ status: 204 }) as const, toFailure),
  }
}

export function vmNioHandlers({ connections }: Emulation, kind: Kind): Handlers<ReturnType<typeof vmNioOperations>> {
  return {
    createNio: ({ params: { nic, ...instance }, body }) =>
      connections
        .connect({ ...instance, kind }, nic, { nio: fromWireNio(body), ...changes(body) })
        .match(() => ({ status: 201, body }) as const, toFailure),
  }
}

export function deviceNioHandlers({ connections }: Emulation): Handlers<ReturnType<typeof deviceNioOperations>> {
  return {
    createNio: ({ params: { nic, ...instance }, body }) =>
      connections
        .connectSwitchPort({ ...instance, kind: 'ethernet-switch' }, nic.port, {
          nio: fromWireNio(body.nio),
          ...(body.port_settings ? { settings: body.port_settings } : {}),
          ...changes(body),
        })
        .match(() => ({ status: 201, body: body.nio }) as const, toFailure),
  }
}
