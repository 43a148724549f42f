import type { Contract, Handlers } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Emulation } from '../../index.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { fields, list } from '../requests/fields.ts'
import { inProject, PROJECT } from '../requests/places.ts'
import { nodeChange, nodeSchema, toWireNode } from './node-schemas.ts'

const common = { tags: ['projects'], params: inProject, path: `${PROJECT}/nodes` } as const

/** The most nodes that one request changes. */
const MAX_CHANGES = 1000

export const labNodeOperations = {
  listNodes: {
    ...common,
    method: 'GET',
    summary: 'Lists the instances of all kinds with their states and places, oldest first',
    responses: { 200: v.array(nodeSchema), ...failureResponses },
  },
  arrangeNodes: {
    ...common,
    method: 'PUT',
    summary: 'Changes places, labels and start orders of instances; `null` removes one',
    body: fields({ nodes: list(nodeChange, MAX_CHANGES) }),
    bodyValues: 20_000,
    responses: { 200: v.array(nodeSchema), ...failureResponses },
  },
} as const satisfies Contract

export const labNodeHandlers = ({ instances }: Emulation): Handlers<typeof labNodeOperations> => ({
  listNodes: ({ params }) =>
    instances
      .nodes(params.projectId)
      .match((found) => ({ status: 200, body: found.map(toWireNode) }) as const, toFailure),
  arrangeNodes: ({ params, body }) =>
    instances
      .arrange(params.projectId, body.nodes)
      .match((arranged) => ({ status: 200, body: arranged.map(toWireNode) }) as const, toFailure),
})
