import { bytes, type Contract, noBody } from '@trivium/http-contract'
import * as v from 'valibot'
import { MAX_PATH } from '../../bounds.ts'
import { PCAP_TYPE } from '../captures/capture-operations.ts'
import { failureResponses } from '../errors/failure.ts'
import { wireKinds } from '../kinds/kind-names.ts'
import { listedLink } from '../links/listed-link.ts'
import { fields, flag, line, oneOf, plainName, whole } from '../requests/fields.ts'
import { projectId } from '../requests/identifiers.ts'
import { type InProject, inProject, PROJECT } from '../requests/places.ts'
import { projectFields, projectPath, projectSchema } from './project-schemas.ts'

const captureFile = v.object({
  capture_file_name: v.string(),
  bytes: whole,
  modified_at: v.string(),
  active: v.boolean(),
})

const labRun = v.pipe(
  v.object({
    changed: whole,
    failed: v.array(
      v.object({
        kind: v.picklist(Object.values(wireKinds)),
        node_id: v.string(),
        name: v.string(),
        message: v.string(),
      }),
    ),
  }),
  v.title('LabRun'),
)

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
    summary: 'Creates a project, or opens a closed one',
    tags,
    body: v.optional(fields({ ...projectFields, path: projectPath, project_id: v.nullish(projectId) }), {}),
    responses: { 201: projectSchema, ...failureResponses },
  },
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    summary: 'Lists the projects, oldest first, by default also closed ones, without archived ones',
    tags,
    query: v.object({
      status: v.optional(oneOf(['opened', 'closed'])),
      archived: v.optional(oneOf(['true', 'false', 'all'])),
    }),
    responses: { 200: v.array(projectSchema), ...failureResponses },
  },
  getProject: {
    ...common,
    method: 'GET',
    path: PROJECT,
    summary: 'Reads a project',
    responses: { 200: projectSchema, ...failureResponses },
  },
  updateProject: {
    ...common,
    method: 'PUT',
    path: PROJECT,
    summary: 'Changes the details of a project, or moves its directory where the server is in local mode',
    body: v.optional(fields({ ...projectFields, path: v.nullish(line(MAX_PATH)), archived: v.nullish(flag) }), {}),
    responses: { 200: projectSchema, ...failureResponses },
  },
  deleteProject: {
    ...common,
    method: 'DELETE',
    path: PROJECT,
    summary: 'Closes a project and deletes its directory',
    responses: { 204: noBody, ...failureResponses },
  },
  commitProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/commit`,
    summary: 'Deletes the files of the instances that were deleted since the last commit',
    responses: { 204: noBody, ...failureResponses },
  },
  closeProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/close`,
    summary: 'Stops the instances and frees their ports, and deletes a temporary project',
    responses: { 204: noBody, ...failureResponses },
  },
  openProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/open`,
    summary: 'Opens a closed project with its instances and links',
    responses: { 200: projectSchema, ...failureResponses },
  },
  duplicateProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/duplicate`,
    summary: 'Copies a stopped project with its instances and files under new ids, as a closed project',
    body: v.optional(fields({ name: v.nullish(plainName), project_id: v.nullish(projectId) }), {}),
    responses: { 201: projectSchema, ...failureResponses },
  },
  startProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/start`,
    summary: 'Starts the instances of the project by their start orders and delays',
    responses: { 200: labRun, ...failureResponses },
  },
  stopProject: {
    ...common,
    method: 'POST',
    path: `${PROJECT}/stop`,
    summary: 'Stops the instances of the project, and ends a start that is under way',
    responses: { 200: labRun, ...failureResponses },
  },
  streamNotifications: {
    ...common,
    method: 'GET',
    path: `${PROJECT}/notifications`,
    summary: 'Streams the events of the project, as JSON lines or as server-sent events',
    headers: v.object({ accept: v.optional(v.string()) }),
    responses: { 200: bytes('application/x-ndjson', 'text/event-stream'), ...failureResponses },
  },
  listLinks: {
    ...common,
    method: 'GET',
    path: `${PROJECT}/links`,
    summary: 'Lists the links of the project with their ends, impairments and counters',
    responses: { 200: v.array(listedLink), ...failureResponses },
  },
  listCaptures: {
    ...common,
    method: 'GET',
    path: `${PROJECT}/captures`,
    summary: 'Lists the capture files of the project',
    responses: { 200: v.array(captureFile), ...failureResponses },
  },
  getCapture: {
    method: 'GET',
    path: `${PROJECT}/captures/{name}`,
    summary: 'Reads a capture file, with `follow=true` also the frames that follow',
    tags,
    params: inCapture,
    query: v.object({ follow: v.optional(oneOf(['true', 'false'])) }),
    responses: { 200: bytes(PCAP_TYPE), ...failureResponses },
  },
  deleteCapture: {
    method: 'DELETE',
    path: `${PROJECT}/captures/{name}`,
    summary: 'Deletes a capture file that is not being written',
    tags,
    params: inCapture,
    responses: { 204: noBody, ...failureResponses },
  },
} as const satisfies Contract
