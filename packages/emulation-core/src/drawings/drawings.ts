import { err, ok, type Result, ResultAsync } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import { createKeyedLocks } from '../locks/keyed-locks.ts'
import type { ProjectId } from '../projects/project.ts'
import { touchProject } from '../projects/touch-project.ts'
import type { Drawing, DrawingId, DrawingReference } from './drawing.ts'
import type { DrawingUpdate, NewDrawing } from './new-drawing.ts'
import { svgObjection } from './svg-objection.ts'

/** Drawings of projects. Changes of one project's drawings run one after the other. */
export interface Drawings {
  /** Creates a drawing. An id that exists in the same project returns that drawing unchanged. */
  create(request: NewDrawing): ResultAsync<Drawing, EmulationError>
  /** Finds a drawing. Fails with `drawing-not-found` where another project has it. */
  find(reference: DrawingReference): ResultAsync<Drawing, EmulationError>
  /** Lists the drawings of a project, oldest first, then by id. */
  list(projectId: ProjectId): ResultAsync<readonly Drawing[], EmulationError>
  /** Updates all given fields, or none. */
  update(reference: DrawingReference, update: DrawingUpdate): ResultAsync<Drawing, EmulationError>
  /** Deletes a drawing. */
  remove(reference: DrawingReference): ResultAsync<void, EmulationError>
}

export function createDrawings(context: Context): Drawings {
  const { repositories, projectLocks, limits } = context
  const { projects, drawings } = repositories
  /** Those of a project add up to its limits. Taken after the project's own lock. */
  const locks = createKeyedLocks<ProjectId>()

  const changing = <T>(projectId: ProjectId, task: () => Promise<Result<T, EmulationError>>) =>
    new ResultAsync(
      context.recovered().then(() =>
        projectLocks.shared(projectId, () =>
          locks.exclusive(projectId, async (): Promise<Result<T, EmulationError>> => {
            const objection = context.projectStates.objection(projectId, 'change')
            if (objection) {
              const project = await projects.find(projectId)
              return err({ type: project ? objection : 'project-not-found', projectId })
            }
            return task()
          }),
        ),
      ),
    )

  const find = async ({ projectId, id }: DrawingReference): Promise<Result<Drawing, EmulationError>> => {
    const found = await drawings.find(id)
    if (found?.projectId === projectId) return ok(found)
    const project = await projects.find(projectId)
    return err(project ? { type: 'drawing-not-found', id } : { type: 'project-not-found', projectId })
  }

  /** Checks the SVG of a drawing that replaces another one or none. */
  const admit = async (
    { projectId, svg }: Pick<Drawing, 'projectId' | 'svg'>,
    replaced?: Drawing,
  ): Promise<Result<undefined, EmulationError>> => {
    const problem = await svgObjection(svg)
    if (problem !== undefined) return err({ type: 'drawing-svg-refused', problem })
    if (replaced && svg.length <= replaced.svg.length) return ok(undefined)
    const used = await drawings.usage(projectId)
    if (!replaced && used.drawings >= limits.drawingsOfAProject)
      return err({ type: 'limit-reached', what: 'drawings', limit: limits.drawingsOfAProject })
    const limit = limits.drawingCharactersOfAProject
    return used.characters - (replaced?.svg.length ?? 0) + svg.length > limit
      ? err({ type: 'limit-reached', what: 'characters of drawings', limit })
      : ok(undefined)
  }

  const create = async ({
    projectId,
    id: chosenId,
    x = 0,
    y = 0,
    z = 1,
    rotation = 0,
    locked = false,
    svg,
  }: NewDrawing): Promise<Result<Drawing, EmulationError>> => {
    if (!(await projects.find(projectId))) return err({ type: 'project-not-found', projectId })
    // Only a new id gets a tag.
    const id = chosenId ?? (context.newId() as DrawingId)
    const existing = chosenId === undefined ? undefined : await drawings.find(chosenId)
    if (existing) return existing.projectId === projectId ? ok(existing) : err({ type: 'drawing-id-taken', id })
    const admitted = await admit({ projectId, svg })
    if (admitted.isErr()) return err(admitted.error)
    const createdAt = context.now()
    const drawing: Drawing = { id, projectId, x, y, z, rotation, locked, svg, createdAt, revision: 0 }
    if (!(await drawings.add(drawing))) return err({ type: 'drawing-id-taken', id })
    await touchProject(context, projectId)
    context.emit('drawing.created', drawing)
    return ok(drawing)
  }

  const update = async (
    reference: DrawingReference,
    changes: DrawingUpdate,
  ): Promise<Result<Drawing, EmulationError>> => {
    const found = await find(reference)
    if (found.isErr()) return err(found.error)
    const before = found.value
    const {
      x = before.x,
      y = before.y,
      z = before.z,
      rotation = before.rotation,
      locked = before.locked,
      svg = before.svg,
    } = changes
    const next: Drawing = { ...before, x, y, z, rotation, locked, svg, revision: before.revision + 1 }
    if (isSame(before, next)) return ok(before)
    const admitted = svg === before.svg ? ok(undefined) : await admit(next, before)
    if (admitted.isErr()) return err(admitted.error)
    if (!(await drawings.replace(next))) return err({ type: 'drawing-conflict', id: next.id })
    await touchProject(context, next.projectId)
    context.emit('drawing.updated', next)
    return ok(next)
  }

  const remove = async (reference: DrawingReference): Promise<Result<void, EmulationError>> => {
    const found = await find(reference)
    if (found.isErr()) return err(found.error)
    await drawings.remove(reference.id)
    await touchProject(context, reference.projectId)
    context.emit('drawing.deleted', found.value)
    return ok(undefined)
  }

  return {
    create: (request) => changing(request.projectId, () => create(request)),
    find: (reference) => new ResultAsync(context.recovered().then(() => find(reference))),
    list: (projectId) =>
      new ResultAsync(
        context.recovered().then(async () => {
          if (!(await projects.find(projectId))) return err({ type: 'project-not-found', projectId } as const)
          return ok(await drawings.list(projectId))
        }),
      ),
    update: (reference, changes) => changing(reference.projectId, () => update(reference, changes)),
    remove: (reference) => changing(reference.projectId, () => remove(reference)),
  }
}

const isSame = (one: Drawing, other: Drawing): boolean =>
  one.x === other.x &&
  one.y === other.y &&
  one.z === other.z &&
  one.rotation === other.rotation &&
  one.locked === other.locked &&
  one.svg === other.svg
