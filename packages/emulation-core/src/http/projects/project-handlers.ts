import { encodedJson, type Handlers } from '@trivium/http-contract'
import { ok } from 'neverthrow'

import type { Emulation, Project } from '../../index.ts'
import type { LabRun } from '../../projects/lab-runs.ts'
import { type Caller, seesProject } from '../access/caller.ts'
import { encodeInTurns, jsonList } from '../encode-in-turns.ts'
import { failure } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'

import { wireKinds } from '../kinds/kind-names.ts'
import { toWireListedLink } from '../links/listed-link.ts'
import { acceptsEventStream, encodeNotifications } from '../notifications/notification-encoding.ts'
import { type NotificationOptions, notifications } from '../notifications/notifications.ts'
import { withoutNullish } from '../requests/fields.ts'
import type { projectOperations } from './project-operations.ts'
import { fromWireDetails, toWireProject } from './project-schemas.ts'

export function projectHandlers(
  emulation: Emulation,
  options: NotificationOptions,
): Handlers<typeof projectOperations, Caller> {
  const { projects, instances, links, captures, location } = emulation
  const toWire = (project: Project) => toWireProject(project, projects.counts(project.id), location)

  return {
    createProject: ({ body, caller }) =>
      projects
        .create({
          ...fromWireDetails(body),
          ...withoutNullish({ id: body.project_id, path: body.path }),
          ...(caller.type === 'user' && { ownerId: caller.id }),
        })
        .match((project) => ({ status: 201, body: toWire(project) }) as const, toFailure),
    listProjects: async ({ caller, query }) => {
      const archived = { true: [true], false: [false], all: [true, false] }[query.archived ?? 'false']
      const found = (await projects.list()).filter(
        (project) =>
          seesProject(caller, project) &&
          archived.includes(project.archived) &&
          (query.status === undefined || query.status === project.status),
      )
      return { status: 200, body: encodedJson(await encodeInTurns(jsonList(found, toWire))) }
    },
    getProject: ({ params }) =>
      projects.find(params.projectId).match((project) => ({ status: 200, body: toWire(project) }) as const, toFailure),
    updateProject: ({ params, body }) =>
      projects
        .update(params.projectId, {
          ...fromWireDetails(body),
          ...withoutNullish({ path: body.path, archived: body.archived }),
        })
        .match((project) => ({ status: 200, body: toWire(project) }) as const, toFailure),
    deleteProject: ({ params }) => projects.remove(params.projectId).match(() => ({ status: 204 }) as const, toFailure),
    commitProject: ({ params }) => projects.commit(params.projectId).match(() => ({ status: 204 }) as const, toFailure),
    closeProject: ({ params }) => projects.close(params.projectId).match(() => ({ status: 204 }) as const, toFailure),
    openProject: ({ params }) =>
      projects.open(params.projectId).match((project) => ({ status: 200, body: toWire(project) }) as const, toFailure),
    duplicateProject: async ({ params, body, caller }) => {
      // Only the admin may create more instances of VMs that exist on the host.
      const desktops = caller.type === 'user' ? await instances.list(params.projectId, 'desktop-vm') : ok([])
      if (desktops.isErr()) return toFailure(desktops.error)
      if (desktops.value.length > 0) return failure(403, 'This user is not allowed to copy a project with emu4 VMs.')
      return projects
        .duplicate(params.projectId, {
          ...withoutNullish({ id: body.project_id, name: body.name }),
          ...(caller.type === 'user' && { ownerId: caller.id }),
        })
        .match((project) => ({ status: 201, body: toWire(project) }) as const, toFailure)
    },
    startProject: ({ params }) =>
      projects.start(params.projectId).match((run) => ({ status: 200, body: toWireRun(run) }) as const, toFailure),
    stopProject: ({ params }) =>
      projects.stop(params.projectId).match((run) => ({ status: 200, body: toWireRun(run) }) as const, toFailure),
    streamNotifications: ({ params, headers, ending }) =>
      projects.find(params.projectId).match(({ id }) => {
        const events = acceptsEventStream(headers.accept)
        const source = notifications(emulation, id, ending, options)
        return {
          status: 200,
          headers: {
            'content-type': events ? 'text/event-stream' : 'application/x-ndjson',
            'cache-control': 'no-cache, no-transform',
            'x-accel-buffering': 'no',
          },
          body: encodeNotifications(source, events),
        } as const
      }, toFailure),
    listLinks: ({ params }) =>
      links
        .list(params.projectId)
        .match((found) => ({ status: 200, body: found.map(toWireListedLink) }) as const, toFailure),
    listCaptures: ({ params }) =>
      captures.list(params.projectId).match(
        (found) =>
          ({
            status: 200,
            body: found.map(({ name, bytes, modifiedAt, active }) => ({
              capture_file_name: name,
              bytes,
              modified_at: modifiedAt.toISOString(),
              active,
            })),
          }) as const,
        toFailure,
      ),
    getCapture: ({ params, query, signal, ending }) => {
      const follow = query.follow === 'true'
      return captures
        .read(params.projectId, params.fileName, { follow, signal: follow ? ending : signal })
        .match((source) => ({ status: 200, body: source }) as const, toFailure)
    },
    deleteCapture: ({ params }) =>
      captures.remove(params.projectId, params.fileName).match(() => ({ status: 204 }) as const, toFailure),
  }
}

const toWireRun = ({ changed, failed }: LabRun) => ({
  changed,
  failed: failed.map(({ instance: { id, kind, name }, error }) => ({
    kind: wireKinds[kind],
    node_id: id,
    name,
    message: toFailure(error).body.message,
  })),
})
