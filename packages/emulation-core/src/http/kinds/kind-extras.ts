import { type Contract, type Handlers, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Emulation } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { whole } from '../requests/fields.ts'
import { placeOf } from '../requests/places.ts'

const router = placeOf('router')

/** The operations that only routers have. */
export const routerOperations = {
  getInitialConfig: {
    method: 'GET',
    path: `${router.instance}/initial_config`,
    summary: 'Reads the initial configuration, or null where it is absent',
    tags: [router.tag],
    params: router.inInstance,
    responses: { 200: v.object({ content: v.nullable(v.string()) }), ...failureResponses },
  },
} as const satisfies Contract

export const routerHandlers = ({ instances }: Emulation): Handlers<typeof routerOperations> => ({
  getInitialConfig: ({ params }) =>
    instances
      .text({ ...params, kind: 'router' })
      .match((content) => ({ status: 200, body: { content } }) as const, toFailure),
})

const device = placeOf('ethernet-switch')
const macTable = { path: `${device.instance}/mac_table`, tags: [device.tag], params: device.inInstance } as const

/** The operations that only switches have. */
export const switchOperations = {
  getMacTable: {
    ...macTable,
    method: 'GET',
    summary: 'Lists the addresses that the switch has learned',
    responses: {
      200: v.array(v.object({ mac: v.string(), vlan: whole, port: whole })),
      ...failureResponses,
    },
  },
  clearMacTable: {
    ...macTable,
    method: 'DELETE',
    summary: 'Removes the addresses that the switch has learned',
    responses: { 204: noBody, ...failureResponses },
  },
} as const satisfies Contract

export const switchHandlers = ({ instances }: Emulation): Handlers<typeof switchOperations> => ({
  getMacTable: ({ params }) =>
    instances
      .macTable({ ...params, kind: 'ethernet-switch' })
      .match(
        (table) => ({ status: 200, body: table.map(({ mac, vlan, port }) => ({ mac, vlan, port })) }) as const,
        toFailure,
      ),
  clearMacTable: ({ params }) =>
    instances.clearMacTable({ ...params, kind: 'ethernet-switch' }).match(() => ({ status: 204 }) as const, toFailure),
})
