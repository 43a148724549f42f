import { err, ok, type Result, ResultAsync } from 'neverthrow'
import { attempt } from '../attempt.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { type Undo, withUndo } from '../with-undo.ts'
import { closeProject } from './close-project.ts'
import { commitRemovals } from './commit-removals.ts'
import { duplicateProject } from './duplicate-project.ts'
import { emptyProject } from './empty-project.ts'
import type { LabRun } from './lab-runs.ts'
import type { Labs } from './labs.ts'
import type { NewProject, ProjectUpdate } from './new-project.ts'
import { openProject } from './open-project.ts'
import { type Project, type ProjectId, projectDefaults } from './project.ts'
import { isPathTaken, projectPath, usersDirectory, withPathLock } from './project-path.ts'
import { isSameProject, updateProject, withDetails } from './update-project.ts'

/** Projects of the server. Operations on one project run one after the other. */
export interface Projects {
  /**
   * Creates a project, or opens a closed one and changes the given fields. An existing directory is used as it is. An id
   * of an open project fails with `project-exists`, or returns that project with `reopenExistingProjects`.
   */
  create(request: NewProject): ResultAsync<Project, EmulationError>
  /** Finds a project, open or closed. */
  find(id: ProjectId): ResultAsync<Project, EmulationError>
  /** Lists all projects, oldest first, then by id. */
  list(): Promise<readonly Project[]>
  /** Counts the instances of a project. Zero for one that does not exist. */
  counts(id: ProjectId): ProjectCounts
  /**
   * Updates a project. Files that a new path does not have are copied to it; no instance or capture may run meanwhile.
   * Of a locked project only `locked: false` is accepted, with other changes.
   */
  update(id: ProjectId, update: ProjectUpdate): ResultAsync<Project, EmulationError>
  /** Deletes the files of the instances that were removed since the last commit. */
  commit(id: ProjectId): ResultAsync<void, EmulationError>
  /**
   * Opens a closed project: its instances get the ports that they had, or others where those are taken, and its links
   * are connected. No effect on an open one.
   */
  open(id: ProjectId): ResultAsync<Project, EmulationError>
  /**
   * Stops the instances and frees their ports. Instances, connections and files stay for the next {@link open}. A
   * temporary project is deleted. No effect on a closed one.
   */
  close(id: ProjectId): ResultAsync<void, EmulationError>
  /**
   * Copies a project with its instances and files under new ids. The copy is closed, and has the ports of the original
   * until it is opened. No instance or capture may run meanwhile.
   */
  duplicate(id: ProjectId, request: NewDuplicate): ResultAsync<Project, EmulationError>
  /**
   * Starts the instances that do not run by their start orders and delays, and resolves when all have started or failed.
   * A second call during a start gets the same result.
   */
  start(id: ProjectId): ResultAsync<LabRun, EmulationError>
  /** Stops the instances, and ends a start that is under way. */
  stop(id: ProjectId): ResultAsync<LabRun, EmulationError>
  /** Closes a project and deletes its directory. */
  remove(id: ProjectId): ResultAsync<void, EmulationError>
}

/** The fields of a copy. */
export interface NewDuplicate extends Pick<NewProject, 'id' | 'ownerId'> {
  /** @default the name of the original, if it has one */
  readonly name?: string
}

/** The instances of a project in numbers. */
export interface ProjectCounts {
  readonly instances: number
  /** Those that run or are suspended, without switches, which always run. */
  readonly running: number
  /** When an instance was last changed. Absent for a project that never had one. */
  readonly changedAt?: Date
}

export function createProjects(context: Context, labs: Labs): Projects {
  const { repositories, projectLocks, projectStates, files, limits, instanceCounts } = context

  const findProject = async (id: ProjectId): Promise<Result<Project, EmulationError>> => {
    await context.recovered()
    const project = await repositories.projects.find(id)
    return project && project.status !== 'incomplete' ? ok(project) : err({ type: 'project-not-found', projectId: id })
  }

  const withProject = <T>(
    id: ProjectId,
    task: (project: Project) => Promise<Result<T, EmulationError>>,
  ): ResultAsync<T, EmulationError> =>
    new ResultAsync(
      context.recovered().then(() =>
        projectLocks.exclusive(id, async () => {
          const project = await findProject(id)
          return project.isErr() ? err(project.error) : task(project.value)
        }),
      ),
    )

  const isIdTaken = async (id: ProjectId) =>
    (await repositories.projects.find(id)) !== undefined || (await files.findProjects(id)).length > 0

  const homeOf = async (ownerId: string | undefined) =>
    ownerId === undefined ? files.location : `${usersDirectory(files)}/${await digestOf(ownerId)}`

  const create = async (
    id: ProjectId,
    { id: chosenId, ownerId, ...details }: NewProject,
    undo: Undo,
  ): Promise<Result<Project, EmulationError>> => {
    const existing = await repositories.projects.find(id)
    if (existing) return reopen(existing, ownerId, details)
    const path = projectPath(context, { ownerId, path: `${await homeOf(ownerId)}/${id}` }, details.path)
    if (path.isErr()) return err(path.error)
    // The directory of another owner, who opens it again by its id.
    const closed = details.path === undefined && chosenId !== undefined ? await files.findProjects(id) : []
    if (closed.some((other) => other !== path.value)) return err({ type: 'project-exists', projectId: id })
    if (await isPathTaken(context, id, path.value)) return err({ type: 'project-path-taken', path: path.value })
    if (instanceCounts.projects >= limits.projects)
      return err({ type: 'limit-reached', what: 'projects', limit: limits.projects })
    instanceCounts.addProject(id)
    undo(() => instanceCounts.removeProject(id))
    const createdAt = context.now()
    const project = withDetails(
      {
        ...projectDefaults,
        id,
        path: path.value,
        temporary: false,
        ...(ownerId !== undefined && { ownerId }),
        createdAt,
        changedAt: createdAt,
        revision: 0,
      },
      details,
    )
    const opened = await attempt(() => files.openProject(project))
    if (opened.isErr()) return err(opened.error)
    if (!(await repositories.projects.add(project))) return err({ type: 'project-exists', projectId: id })
    projectStates.set(project)
    context.emit('project.created', project)
    return ok(project)
  }

  const reopen = async (
    existing: Project,
    ownerId: string | undefined,
    details: ProjectUpdate,
  ): Promise<Result<Project, EmulationError>> => {
    const taken = err({ type: 'project-exists', projectId: existing.id } as const)
    if (existing.ownerId !== ownerId || existing.status === 'incomplete') return taken
    if (existing.status === 'opened') return context.reopenExistingProjects ? ok(existing) : taken
    if (existing.archived) return err({ type: 'project-archived', projectId: existing.id })
    const { path, ...others } = details
    const moved = path === undefined ? ok(existing) : await updateProject(context, existing, { path })
    if (moved.isErr()) return err(moved.error)
    const changed = withDetails(moved.value, others)
    if (isSameProject(changed, moved.value)) return open(moved.value)
    if (existing.locked && others.locked !== false) return err({ type: 'project-locked', projectId: existing.id })
    return open({ ...changed, changedAt: context.now() })
  }

  const isOpen = (project: Project) =>
    project.status === 'opened' && projectStates.objection(project.id, 'run') === undefined

  const open = async (project: Project): Promise<Result<Project, EmulationError>> => {
    if (isOpen(project)) return ok(project)
    const opened = await openProject(context, project)
    if (opened.isErr()) return opened
    context.emit('project.opened', opened.value)
    if (opened.value.autoStart) labs.startLater(project.id)
    return opened
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
    find: (id) => new ResultAsync(findProject(id)),
    list: async () => {
      await context.recovered()
      return (await repositories.projects.list()).filter(({ status }) => status !== 'incomplete')
    },
    counts: (id) => {
      const changedAt = instanceCounts.changedAt(id)
      return {
        instances: instanceCounts.instances(id),
        running: context.liveCounts.running(id),
        ...(changedAt && { changedAt }),
      }
    },
    update: (id, update) =>
      withProject(id, async (project) => {
        const run = () => updateProject(context, project, update)
        const updated = await (update.path === undefined ? run() : withPathLock(context, run))
        if (updated.isOk() && context.liveCounts.running(id) > 0) labs.scheduleStop(id)
        return updated
      }),
    commit: (id) =>
      withProject(id, async (project) => {
        if (project.locked) return err({ type: 'project-locked', projectId: id })
        const committed = await commitRemovals(context, project)
        if (committed.isOk()) context.emit('project.committed', project)
        return committed
      }),
    open: (id) => withProject(id, open),
    close: (id) =>
      withProject(id, async (project) => {
        if (!project.temporary) return (await closeProject(context, project)).map(() => undefined)
        if (project.locked) return err({ type: 'project-locked', projectId: id })
        const emptied = await emptyProject(context, project, { discard: true })
        if (emptied.isOk()) context.emit('project.closed', project)
        return emptied
      }),
    duplicate: (id, { id: chosenId, name, ownerId }) =>
      withProject(id, async (project) => {
        // Only a new id gets a tag.
        const copyId = chosenId ?? (context.newId() as ProjectId)
        // Two copies into each other would wait for each other.
        if (await isIdTaken(copyId)) return err({ type: 'project-exists', projectId: copyId })
        const owner = ownerId ?? project.ownerId
        const path = `${await homeOf(owner)}/${copyId}`
        if (await isPathTaken(context, copyId, path)) return err({ type: 'project-path-taken', path })
        const createdAt = context.now()
        const copy = withDetails(
          {
            ...project,
            id: copyId,
            path,
            temporary: false,
            ...(owner !== undefined && { ownerId: owner }),
            locked: false,
            archived: false,
            createdAt,
            changedAt: createdAt,
          },
          name === undefined ? {} : { name },
        )
        return projectLocks.exclusive(copyId, async () => {
          // Another request may have taken the id while this one waited for it.
          if (await isIdTaken(copyId)) return err({ type: 'project-exists', projectId: copyId })
          const made = await duplicateProject(context, project, copy)
          if (made.isOk()) context.emit('project.created', made.value)
          return made
        })
      }),
    start: (id) => new ResultAsync(findOpen(id)).map(() => labs.start(id)),
    stop: (id) => new ResultAsync(findOpen(id)).map(() => labs.stop(id)),
    remove: (id) =>
      withProject(id, async (project) => {
        if (project.locked) return err({ type: 'project-locked', projectId: id })
        const emptied = await emptyProject(context, project, { discard: true })
        if (emptied.isOk()) context.emit('project.deleted', project)
        return emptied
      }),
  }

  async function findOpen(id: ProjectId): Promise<Result<Project, EmulationError>> {
    const found = await findProject(id)
    return found.isErr() || isOpen(found.value) ? found : err({ type: 'project-closed', projectId: id })
  }
}

/** A name of a directory for a user, whose id may be any text. Another user cannot open a directory by its project's id. */
async function digestOf(ownerId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(ownerId))
  return Array.from(new Uint8Array(digest, 0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
