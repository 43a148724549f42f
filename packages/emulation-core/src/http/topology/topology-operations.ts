import { type Contract, encodedJson, type Handlers } from '@trivium/http-contract'
import { ResultAsync } from 'neverthrow'
import * as v from 'valibot'
import type { Emulation, Instance, Project } from '../../index.ts'
import { drawing } from '../drawings/drawing-operations.ts'
import { toWireDrawing } from '../drawings/to-wire-drawing.ts'
import { encodeInTurns, jsonList } from '../encode-in-turns.ts'
import { failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { toWireInstance } from '../kinds/wires.ts'
import { listedLink, toWireListedLink } from '../links/listed-link.ts'
import { nodeSchema, toWireNode } from '../nodes/node-schemas.ts'
import { projectSchema, toWireProject } from '../projects/project-schemas.ts'
import { inProject, PROJECT } from '../requests/places.ts'

const topology = v.pipe(
  v.object({
    project: projectSchema,
    nodes: v.array(
      v.object({
        ...nodeSchema.entries,
        properties: v.pipe(
          v.record(v.string(), v.unknown()),
          v.description('The instance or device, as reading it answers.'),
        ),
      }),
    ),
    links: v.array(listedLink),
    drawings: v.array(drawing),
  }),
  v.title('Topology'),
)

export const topologyOperations = {
  getTopology: {
    method: 'GET',
    path: `${PROJECT}/topology`,
    summary: 'Reads a whole lab with its states: the project, its instances, links and drawings',
    tags: ['projects'],
    params: inProject,
    responses: { 200: topology, ...failureResponses },
  },
} as const satisfies Contract

export function topologyHandlers(emulation: Emulation): Handlers<typeof topologyOperations> {
  const { projects, instances, links, drawings, location } = emulation
  const toWire = (project: Project) => toWireProject(project, projects.counts(project.id), location)
  return {
    getTopology: ({ params: { projectId: id } }) =>
      ResultAsync.combine([projects.find(id), instances.list(id), links.list(id), drawings.list(id)])
        .map(([project, nodes, cables, drawn]) =>
          encodeInTurns(
            (function* () {
              yield `{"project":${JSON.stringify(toWire(project))},"nodes":`
              yield* jsonList(nodes, toWireNodeWithProperties)
              yield ',"links":'
              yield* jsonList(cables, toWireListedLink)
              yield ',"drawings":'
              yield* jsonList(drawn, toWireDrawing)
              yield '}'
            })(),
          ),
        )
        .match((body) => ({ status: 200, body: encodedJson(body) }) as const, toFailure),
  }
}

const toWireNodeWithProperties = (instance: Instance) => ({
  ...toWireNode(instance),
  properties: toWireInstance(instance),
})
