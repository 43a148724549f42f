import { describe, expect, it } from 'vitest'
import { createLab } from '../../tests/lab.ts'
import type { ProjectId } from '../projects/project.ts'
import type { Drawing, DrawingId } from './drawing.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const otherProject = '33333333-3333-4333-8333-333333333333' as ProjectId
const id = '22222222-2222-4222-8222-222222222222' as DrawingId
const svg = '<svg height="10" width="10"><text>Note</text></svg>'

async function openLab(options: Parameters<typeof createLab>[0] = {}) {
  const lab = createLab(options)
  for (const each of [projectId, otherProject]) await lab.emulation.projects.create({ id: each })
  lab.emitted.length = 0
  return { ...lab, drawings: lab.emulation.drawings }
}

describe('Drawings.create', () => {
  it('sets the defaults, and emits an event', async () => {
    const { emulation, drawings, emitted } = await openLab()
    const events: Drawing[] = []
    emulation.events.on('drawing.created', (drawing) => events.push(drawing))
    const made = (await drawings.create({ projectId, svg }))._unsafeUnwrap()
    expect(made).toMatchObject({ projectId, x: 0, y: 0, z: 1, rotation: 0, locked: false, svg, revision: 0 })
    expect(events).toEqual([made])
    expect(emitted).toEqual(['drawing.created'])
  })

  it('returns the drawing of the same project that has the id, unchanged', async () => {
    const { drawings, emitted } = await openLab()
    const first = (await drawings.create({ projectId, id, svg, x: 5 }))._unsafeUnwrap()
    expect((await drawings.create({ projectId, id, svg: '<svg/>' }))._unsafeUnwrap()).toEqual(first)
    expect(emitted).toEqual(['drawing.created'])
  })

  it('refuses the id of a drawing of another project', async () => {
    const { drawings } = await openLab()
    await drawings.create({ projectId, id, svg })
    expect((await drawings.create({ projectId: otherProject, id, svg }))._unsafeUnwrapErr()).toEqual({
      type: 'drawing-id-taken',
      id,
    })
  })

  it('fails for a project that is closed, which keeps its drawings', async () => {
    const { emulation, drawings } = await openLab()
    const made = (await drawings.create({ projectId, svg }))._unsafeUnwrap()
    await emulation.projects.close(projectId)
    expect((await drawings.create({ projectId, svg }))._unsafeUnwrapErr()).toEqual({
      type: 'project-closed',
      projectId,
    })
    expect((await drawings.list(projectId))._unsafeUnwrap()).toEqual([made])
  })

  it('changes the time of the last change of its project', async () => {
    const { emulation, drawings } = await openLab()
    const before = (await emulation.projects.find(projectId))._unsafeUnwrap()
    await drawings.create({ projectId, svg })
    const after = (await emulation.projects.find(projectId))._unsafeUnwrap()
    expect(after.changedAt.getTime()).toBeGreaterThan(before.changedAt.getTime())
  })

  it('names what an SVG is refused for', async () => {
    const { drawings, emitted } = await openLab()
    const refused = await drawings.create({ projectId, svg: '<svg><script/></svg>' })
    expect(refused._unsafeUnwrapErr()).toEqual({
      type: 'drawing-svg-refused',
      problem: "The element 'script' is not allowed in an SVG.",
    })
    expect((await drawings.list(projectId))._unsafeUnwrap()).toEqual([])
    expect(emitted).toEqual([])
  })

  it('keeps the limit of drawings, also where several are created at the same time', async () => {
    const { drawings } = await openLab({ limits: { drawingsOfAProject: 2 } })
    const made = await Promise.all(Array.from({ length: 5 }, () => drawings.create({ projectId, svg })))
    const errors = made.flatMap((result) => (result.isErr() ? [result.error] : []))
    expect(errors).toEqual(Array.from({ length: 3 }, () => ({ type: 'limit-reached', what: 'drawings', limit: 2 })))
    expect((await drawings.create({ projectId: otherProject, svg })).isOk()).toBe(true)
    const [first] = (await drawings.list(projectId))._unsafeUnwrap()
    if (first) await drawings.remove(first)
    expect((await drawings.create({ projectId, svg })).isOk()).toBe(true)
  })

  it('keeps the limit of characters, also where several are created at the same time', async () => {
    const limit = 2 * svg.length + 1
    const { drawings } = await openLab({ limits: { drawingCharactersOfAProject: limit } })
    const made = await Promise.all(Array.from({ length: 4 }, () => drawings.create({ projectId, svg })))
    expect(made.map((result) => result.isOk())).toEqual([true, true, false, false])
    expect(made[2]?._unsafeUnwrapErr()).toEqual({ type: 'limit-reached', what: 'characters of drawings', limit })
    const [first] = (await drawings.list(projectId))._unsafeUnwrap()
    if (!first) throw new Error('There is no drawing.')
    expect((await drawings.update(first, { svg: `${svg}  ` })).isErr()).toBe(true)
    expect((await drawings.update(first, { svg: `${svg} ` })).isOk()).toBe(true)
    expect((await drawings.update(first, { svg: '<svg/>' })).isOk()).toBe(true)
  })
})

describe('Drawings.update', () => {
  it('changes only the given fields, and emits an event', async () => {
    const { drawings, emitted } = await openLab()
    const made = (await drawings.create({ projectId, svg, x: 1, y: 2, z: 3, rotation: 4 }))._unsafeUnwrap()
    const moved = (await drawings.update(made, { x: -7, locked: true }))._unsafeUnwrap()
    expect(moved).toEqual({ ...made, x: -7, locked: true, revision: 1 })
    expect((await drawings.find(made))._unsafeUnwrap()).toEqual(moved)
    expect(emitted).toEqual(['drawing.created', 'drawing.updated'])
  })

  it('stores and emits nothing where nothing changes', async () => {
    const { drawings, emitted } = await openLab()
    const made = (await drawings.create({ projectId, svg }))._unsafeUnwrap()
    expect((await drawings.update(made, { svg, x: 0 }))._unsafeUnwrap()).toEqual(made)
    expect(emitted).toEqual(['drawing.created'])
  })

  it('changes nothing where the SVG is refused', async () => {
    const { drawings } = await openLab()
    const made = (await drawings.create({ projectId, svg }))._unsafeUnwrap()
    const refused = await drawings.update(made, { x: 9, svg: '<svg onload="a"/>' })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'drawing-svg-refused' })
    expect((await drawings.find(made))._unsafeUnwrap()).toEqual(made)
  })

  it('applies changes that are sent at the same time one after the other', async () => {
    const { drawings } = await openLab()
    const made = (await drawings.create({ projectId, svg }))._unsafeUnwrap()
    await Promise.all([drawings.update(made, { x: 1 }), drawings.update(made, { y: 2 })])
    expect((await drawings.find(made))._unsafeUnwrap()).toMatchObject({ x: 1, y: 2, revision: 2 })
  })

  it('fails where another process has changed the drawing first', async () => {
    const { drawings, stores } = await openLab()
    const made = (await drawings.create({ projectId, svg }))._unsafeUnwrap()
    const { replace } = stores.repositories.drawings
    stores.repositories.drawings.replace = async (drawing) => {
      await replace({ ...drawing, x: 99 })
      return replace(drawing)
    }
    expect((await drawings.update(made, { y: 1 }))._unsafeUnwrapErr()).toEqual({
      type: 'drawing-conflict',
      id: made.id,
    })
  })
})

describe('Drawings', () => {
  it('finds, changes and removes a drawing only in its project', async () => {
    const { drawings, emitted } = await openLab()
    await drawings.create({ projectId, id, svg })
    const elsewhere = { projectId: otherProject, id }
    const absent = { type: 'drawing-not-found', id }
    expect((await drawings.find(elsewhere))._unsafeUnwrapErr()).toEqual(absent)
    expect((await drawings.update(elsewhere, { x: 1 }))._unsafeUnwrapErr()).toEqual(absent)
    expect((await drawings.remove(elsewhere))._unsafeUnwrapErr()).toEqual(absent)
    expect((await drawings.remove({ projectId, id })).isOk()).toBe(true)
    expect((await drawings.remove({ projectId, id }))._unsafeUnwrapErr()).toEqual(absent)
    expect(emitted).toEqual(['drawing.created', 'drawing.deleted'])
  })

  it.each(['close', 'remove'] as const)('removes drawings with their project: %s', async (action) => {
    const { emulation, drawings, stores } = await openLab()
    await emulation.projects.update(projectId, { temporary: action === 'close' })
    await drawings.create({ projectId, id, svg })
    await drawings.create({ projectId: otherProject, svg })
    await emulation.projects[action](projectId)
    expect((await drawings.list(projectId))._unsafeUnwrapErr()).toEqual({ type: 'project-not-found', projectId })
    expect(await stores.repositories.drawings.list(projectId)).toEqual([])
    expect(await stores.repositories.drawings.list(otherProject)).toHaveLength(1)
  })

  it('keeps drawings over a restart, except those of a temporary project', async () => {
    const first = await openLab()
    await first.emulation.projects.update(otherProject, { temporary: true })
    const made = (await first.drawings.create({ projectId, svg }))._unsafeUnwrap()
    await first.drawings.create({ projectId: otherProject, svg })
    const second = createLab({}, first.stores)
    expect((await second.emulation.drawings.list(projectId))._unsafeUnwrap()).toEqual([made])
    expect(await first.stores.repositories.drawings.list(otherProject)).toEqual([])
  })
})
