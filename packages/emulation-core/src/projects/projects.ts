import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { type Undo, withUndo } from '../with-undo.ts'
import { commitRemovals } from './commit-removals.ts'
import { emptyProject } from './empty-project.ts'
import type { NewProject, ProjectUpdate } from './new-project.ts'
import type { Project, ProjectId } from './project.ts'
import { isPathTaken, projectPath, usersDirectory, withPathLock } from './project-path.ts'
import { updateProject } from './update-project.ts'

/** Projects of the server. Operations on one project run one after the other. */
export interface Projects {
  /**
   * Creates a project, or opens a closed one: an existing directory is used as it is. An id of an open project fails
   * with `project-exists`, or returns that project with `reopenExistingProjects`.
   */
  create(request: NewProject): ResultAsync<Project, EmulationError>
  /** Finds an open project. Fails with `project-not-found` for a closed one. */
  find(id: ProjectId): ResultAsync<Project, EmulationError>
  /** Lists the open projects, oldest first, then by id. */
  list(): Promise<readonly Project[]>
  /**
   * Updates a project. Files that a new path does not have are copied to it; no instance or capture may run meanwhile.
   */
  update(id: ProjectId, update: ProjectUpdate): ResultAsync<Project, EmulationError>
  /** Deletes the files of the instances that were removed since the last commit. */
  commit(id: ProjectId): ResultAsync<void, EmulationError>
  /** Stops and removes the instances and the project. Its directory stays, unless the project is temporary. */
  close(id: ProjectId): ResultAsync<void, EmulationError>
  /** Closes a project and deletes its directory. */
  remove(id: ProjectId): ResultAsync<void, EmulationError>
}

export function createProjects(context: Context): Projects {
  const { repositories, projectLocks, files, limits, instanceCounts } = context

  const withProject = <T>(
    id: ProjectId,
    task: (project: Project) => Promise<Result<T, EmulationError>>,
  ): ResultAsync<T, EmulationError> =>
    new ResultAsync(
      context.recovered().then(() =>
        projectLocks.exclusive(id, async () => {
          const project = await repositories.projects.find(id)
          return project ? task(project) : err({ type: 'project-not-found', projectId: id } as const)
        }),
      ),
    )

  const create = async (
    id: ProjectId,
    { id: chosenId, path: requestedPath, name, temporary = false, ownerId }: NewProject,
    undo: Undo,
  ): Promise<Result<Project, EmulationError>> => {
    const existing = await repositories.projects.find(id)
    if (existing) {
      const isReopened = context.reopenExistingProjects && existing.ownerId === ownerId
      return isReopened ? ok(existing) : err({ type: 'project-exists', projectId: id })
    }
    const own = ownerId === undefined ? files.location : `${usersDirectory(files)}/${await digestOf(ownerId)}`
    const path = projectPath(context, { ownerId, path: `${own}/${id}` }, requestedPath)
    if (path.isErr()) return err(path.error)
    // The closed project of another owner, who opens it again by its id.
    const closed = requestedPath === undefined && chosenId !== undefined ? await files.findProjects(id) : []
    if (closed.some((other) => other !== path.value)) return err({ type: 'project-exists', projectId: id })
    if (await isPathTaken(context, id, path.value)) return err({ type: 'project-path-taken', path: path.value })
    if (instanceCounts.projects >= limits.projects)
      return err({ type: 'limit-reached', what: 'projects', limit: limits.projects })
    instanceCounts.addProject(id)
    undo(() => instanceCounts.removeProject(id))
    const project: Project = {
      id,
      path: path.value,
      ...(name !== undefined && { name }),
      temporary,
      ...(ownerId !== undefined && { ownerId }),
      createdAt: context.now(),
      revision: 0,
    }
    const opened = await attempt(() => files.openProject(project))
    if (opened.isErr()) return err(opened.error)
    if (!(await repositories.projects.add(project))) return err({ type: 'project-exists', projectId: id })
    context.emit('project.created', project)
    return ok(project)
  }

  return {
    create: (request) => {
      // Only a new id gets a tag.
      const id = request.id ?? (context.newId() as ProjectId)
      return new ResultAsync(
        context
          .recovered()
          .then(() =>
            projectLocks.exclusive(id, () =>
              withPathLock(context, () => withUndo((undo) => create(id, request, undo))),
            ),
          ),
      )
    },
    find: (id) =>
      new ResultAsync(
        context.recovered().then(async () => {
          const project = await repositories.projects.find(id)
          return project ? ok(project) : err({ type: 'project-not-found', projectId: id } as const)
        }),
      ),
    list: async () => {
      await context.recovered()
      return repositories.projects.list()
    },
    update: (id, update) =>
      withProject(id, (project) => {
        const run = () => updateProject(context, project, update)
        return update.path === undefined ? run() : withPathLock(context, run)
      }),
    commit: (id) =>
      withProject(id, async (project) => {
        const committed = await commitRemovals(context, project)
        if (committed.isOk()) context.emit('project.committed', project)
        return committed
      }),
    close: (id) =>
      withProject(id, async (project) => {
        const emptied = await emptyProject(context, project, { discard: project.temporary })
        if (emptied.isOk()) context.emit('project.closed', project)
        return emptied
      }),
    remove: (id) =>
      withProject(id, async (project) => {
        const emptied = await emptyProject(context, project, { discard: true })
        if (emptied.isOk()) context.emit('project.deleted', project)
        return emptied
      }),
  }
}

/** A name of a directory for a user, whose id may be any text. Another user cannot open a directory by its project's id. */
async function digestOf(ownerId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ownerId))
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
