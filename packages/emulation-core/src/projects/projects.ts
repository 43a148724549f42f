import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { type Undo, undoing } from '../undoing.ts'
import { commitRemovals } from './commit-removals.ts'
import { emptyProject } from './empty-project.ts'
import type { NewProject, ProjectUpdate } from './new-project.ts'
import type { Project, ProjectId } from './project.ts'
import { isPathTaken, placing, projectPath } from './project-path.ts'
import { updateProject } from './update-project.ts'

export interface Projects {
  /**
   * An existing directory is taken as it is, so that a closed project can be opened again. An id that is open already
   * is refused, or answered with that project where the host asked for it.
   */
  create(request: NewProject): ResultAsync<Project, EmulationError>
  find(id: ProjectId): ResultAsync<Project, EmulationError>
  /** Oldest first. */
  list(): Promise<readonly Project[]>
  /** A new path gets what it lacks of the old one; nothing may run or capture meanwhile. */
  update(id: ProjectId, update: ProjectUpdate): ResultAsync<Project, EmulationError>
  /** Deletes the files of the instances that were removed since the last time. */
  commit(id: ProjectId): ResultAsync<void, EmulationError>
  /** Stops and forgets its instances and the project itself. The directory stays, unless it is temporary. */
  close(id: ProjectId): ResultAsync<void, EmulationError>
  /** Closes it and deletes its directory. */
  remove(id: ProjectId): ResultAsync<void, EmulationError>
}

export function createProjects(context: Context): Projects {
  const { repositories, projectLocks, files, limits, census } = context

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
    { path: wanted, temporary = false }: NewProject,
    undo: Undo,
  ): Promise<Result<Project, EmulationError>> => {
    const existing = await repositories.projects.find(id)
    if (existing) return context.reopenExistingProjects ? ok(existing) : err({ type: 'project-exists', projectId: id })
    const path = projectPath(context, `${files.location}/${id}`, wanted)
    if (path.isErr()) return err(path.error)
    if (await isPathTaken(context, id, path.value)) return err({ type: 'project-path-taken', path: path.value })
    if (census.projects >= limits.projects)
      return err({ type: 'limit-reached', what: 'projects', limit: limits.projects })
    census.addProject(id)
    undo(() => census.removeProject(id))
    const project: Project = { id, path: path.value, temporary, createdAt: context.now(), revision: 0 }
    const opened = await attempt(() => files.openProject(project))
    if (opened.isErr()) return err(opened.error)
    if (!(await repositories.projects.add(project))) return err({ type: 'project-exists', projectId: id })
    context.emit('project.created', project)
    return ok(project)
  }

  return {
    create: (request) => {
      // A tag has no other source than this.
      const id = request.id ?? (context.newId() as ProjectId)
      return new ResultAsync(
        context
          .recovered()
          .then(() =>
            projectLocks.exclusive(id, () => placing(context, () => undoing((undo) => create(id, request, undo)))),
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
        return update.path === undefined ? run() : placing(context, run)
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
