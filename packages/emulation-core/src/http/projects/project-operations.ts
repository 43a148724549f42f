import { bytes, type Contract, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { PCAP_TYPE } from '../captures/capture-operations.ts'
import { failureResponses } from '../errors/failure.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { connection } from '../links/link-schemas.ts'
import { fields, flag, line, oneOf, plainName, someLine, whole } from '../requests/fields.ts'
import { projectId } from '../requests/identifiers.ts'
import { type InProject, inProject, PROJECT } from '../requests/places.ts'

const project = v.pipe(
  v.object({
    location: v.string(),
    path: v.string(),
    project_id: v.string(),
    temporary: v.boolean(),
  }),
  v.title('Project'),
)

const linkEnd = v.object({
  kind: v.picklist(Object.values(wireKinds)),
  id: v.string(),
  name: v.string(),
  adapter_number: whole,
  port_number: whole,
  ...connection.entries,
})

const link = v.pipe(v.object({ link_id: v.string(), ends: v.array(linkEnd) }), v.title('Link'))

const captureFile = v.object({
  capture_file_name: v.string(),
  bytes: whole,
  modified_at: v.string(),
  active: v.boolean(),
})

const tags = ['projects']
const common = { tags, params: inProject } as const

const inCapture: v.GenericSchema<unknown, InProject & { readonly fileName: string }> = v.pipe(
  v.object({ project_id: projectId, name: plainName }),
  v.transform((params) => ({ projectId: params.project_id, fileName: params.name })),
)

export const projectOperations = {
  createProject: {
    method: 'POST',
    path: '/v1/projects',
    summary: 'Create a project, or open one again',
    tags,
    body: v.optional(
      fields({
        path: v.nullish(someLine(4096)),
        project_id: v.nullish(projectId),
        temporary: v.optional(flag),
      }),
      {},
    ),
    responses: { 201: project, ...failureResponses },
  },
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    summary: 'List the open projects, oldest first',
    tags,
    responses: { 200: v.array(project), ...failureResponses },
  },
  getProject: {
    ...common,
    method: 'GET',
    path: PROJECT,
    summary: 'Get a project',
    responses: { 200: project, ...failureResponses },
  },
  updateProject: {
    ...common,
    method: 'PUT',
    path: PROJECT,
    summary: 'Make a project temporary or lasting; where the server is local, move its directory',
    body: v.optional(fields({ path: v.nullish(line(4096)), temporary: v.optional(flag) }), {}),
    responses: { 200: project, ...failureResponses },
  },
  deleteProject: {
    ...common,
    method: 'DELETE',
    path: PROJECT,
    summary: 'Close a project and delete its directory',
    responses: { 204: noBody, ...failureResponses },
  },
  commitProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/commit`,
    summary: 'Delete the files of the instances that were deleted since the last commit',
    responses: { 204: noBody, ...failureResponses },
  },
  closeProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/close`,
    summary: 'Stop and forget the instances and the project; its directory stays unless it is temporary',
    responses: { 204: noBody, ...failureResponses },
  },
  streamNotifications: {
    ...common,
    method: 'GET',
    path: `${PROJECT}/notifications`,
    summary: 'What happens in the project, as JSON lines, or as server-sent events where the client accepts those',
    headers: v.object({ accept: v.optional(v.string()) }),
    responses: { 200: bytes('application/x-ndjson', 'text/event-stream'), ...failureResponses },
  },
  listLinks: {
    ...common,
    method: 'GET',
    path: `${PROJECT}/links`,
    summary: 'List the links of the project with both ends, their impairments and counters',
    responses: { 200: v.array(link), ...failureResponses },
  },
  listCaptures: {
    ...common,
    method: 'GET',
    path: `${PROJECT}/captures`,
    summary: "List the project's capture files",
    responses: { 200: v.array(captureFile), ...failureResponses },
  },
  getCapture: {
    method: 'GET',
    path: `${PROJECT}/captures/{name}`,
    summary: 'Get a capture file; `follow=true` goes on with what is captured',
    tags,
    params: inCapture,
    query: v.object({ follow: v.optional(oneOf(['true', 'false'])) }),
    responses: { 200: bytes(PCAP_TYPE), ...failureResponses },
  },
  deleteCapture: {
    method: 'DELETE',
    path: `${PROJECT}/captures/{name}`,
    summary: 'Delete a capture file that is not being written',
    tags,
    params: inCapture,
    responses: { 204: noBody, ...failureResponses },
  },
} as const satisfies Contract
