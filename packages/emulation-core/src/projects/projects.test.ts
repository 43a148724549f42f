import { describe, expect, it } from 'vitest'
import { createLab, createStores } from '../../tests/lab.ts'
import type { InstanceId } from '../instances/instance.ts'
import { Refusal } from '../refusal.ts'
import type { ProjectId } from './project.ts'

const id = '11111111-1111-4111-8111-111111111111' as ProjectId
const vm = '22222222-2222-4222-8222-222222222222' as InstanceId

describe('Projects', () => {
  it('creates the directory of a project in the location', async () => {
    const { emulation, emitted } = createLab()
    const project = (await emulation.projects.create({}))._unsafeUnwrap()
    expect(project.path).toBe(`/projects/${project.id}`)
    expect(project.temporary).toBe(false)
    expect((await emulation.projects.find(project.id))._unsafeUnwrap()).toEqual(project)
    expect(await emulation.projects.list()).toEqual([project])
    expect(emitted).toEqual(['project.created'])
  })

  it('refuses the id of an open project', async () => {
    const { emulation } = createLab()
    await emulation.projects.create({ id })
    expect((await emulation.projects.create({ id }))._unsafeUnwrapErr().type).toBe('project-exists')
  })

  it('accepts one of two concurrent creations', async () => {
    const { emulation } = createLab()
    const made = await Promise.all([emulation.projects.create({ id }), emulation.projects.create({ id })])
    expect(made.filter((result) => result.isOk())).toHaveLength(1)
  })

  it('returns the open project with `reopenExistingProjects`', async () => {
    const { emulation, emitted } = createLab({ reopenExistingProjects: true })
    const first = (await emulation.projects.create({ id }))._unsafeUnwrap()
    expect((await emulation.projects.create({ id, temporary: true }))._unsafeUnwrap()).toEqual(first)
    expect(emitted).toEqual(['project.created'])
  })

  it('accepts a path in local mode only', async () => {
    const remote = createLab().emulation
    expect((await remote.projects.create({ path: '/tmp/x' }))._unsafeUnwrapErr().type).toBe('project-location-fixed')
    expect(await remote.projects.list()).toEqual([])
    const created = (await remote.projects.create({ id, path: `/projects/${id}/` }))._unsafeUnwrap()
    expect(created.path).toBe(`/projects/${id}`)
    expect((await remote.projects.update(id, { path: '/tmp/x' }))._unsafeUnwrapErr().type).toBe(
      'project-location-fixed',
    )
    const local = createLab({ localMode: true }).emulation
    expect((await local.projects.create({ path: '/tmp/x' }))._unsafeUnwrap().path).toBe('/tmp/x')
  })

  it.each([
    'relative',
    '../up',
    '/a/../b',
    '/a/./b',
    '/',
    '//',
    '/a"b',
    '/a\nb',
    '/a\0b',
    `/${'x'.repeat(4096)}`,
  ])('refuses the path %j', async (path) => {
    const { emulation } = createLab({ localMode: true })
    expect((await emulation.projects.create({ path }))._unsafeUnwrapErr().type).toBe('project-path-invalid')
    expect(await emulation.projects.list()).toEqual([])
  })

  it('removes repeated and trailing slashes from a path', async () => {
    const { projects } = createLab({ localMode: true }).emulation
    expect((await projects.create({ path: '/labs//one///' }))._unsafeUnwrap().path).toBe('/labs/one')
    expect((await projects.create({ path: '/labs///one' }))._unsafeUnwrapErr().type).toBe('project-path-taken')
  })

  it('refuses to move a project into its own directory', async () => {
    const { projects } = createLab({ localMode: true }).emulation
    await projects.create({ id, path: '/labs/one' })
    const inside = await projects.update(id, { path: '/labs/one/inside' })
    expect(inside._unsafeUnwrapErr().type).toBe('project-path-invalid')
    expect((await projects.update(id, { path: '/labs' })).isOk()).toBe(true)
  })

  it.each([
    '/labs/one',
    '/labs/one/inside',
    '/labs',
  ])('refuses the path %s while a project is in /labs/one', async (path) => {
    const { emulation } = createLab({ localMode: true })
    await emulation.projects.create({ path: '/labs/one' })
    expect((await emulation.projects.create({ path }))._unsafeUnwrapErr()).toEqual({ type: 'project-path-taken', path })
    await emulation.projects.create({ id, path: '/labs/other' })
    expect((await emulation.projects.update(id, { path }))._unsafeUnwrapErr().type).toBe('project-path-taken')
    expect((await emulation.projects.update(id, { path: '/labs/one-more' })).isOk()).toBe(true)
  })

  it.each([
    `/projects/${id}`,
    `/projects/${id}/inside`,
  ])('refuses the default path of an id while a project is in %s', async (path) => {
    const { emulation } = createLab({ localMode: true })
    await emulation.projects.create({ path })
    expect((await emulation.projects.create({ id }))._unsafeUnwrapErr()).toEqual({
      type: 'project-path-taken',
      path: `/projects/${id}`,
    })
    expect((await emulation.projects.create({ id, path: '/labs' })).isOk()).toBe(true)
  })

  it('refuses a directory that contains the location', async () => {
    const { emulation, stores } = createLab({
      localMode: true,
      files: { ...createStores().files, location: '/srv/projects' },
    })
    for (const path of ['/srv/projects', '/srv/projects/', '/srv']) {
      expect((await emulation.projects.create({ path }))._unsafeUnwrapErr().type).toBe('project-path-invalid')
    }
    expect((await emulation.projects.create({ path: '/srv/projects/own' })).isOk()).toBe(true)
    expect(await stores.repositories.projects.list()).toHaveLength(1)
  })

  it('assigns a directory to one of two concurrent requests', async () => {
    const { projects } = createLab({ localMode: true }).emulation
    const made = await Promise.all([projects.create({ path: '/labs' }), projects.create({ path: '/labs' })])
    expect(made.filter((result) => result.isOk())).toHaveLength(1)
    const [one, other] = [(await projects.create({}))._unsafeUnwrap(), (await projects.create({}))._unsafeUnwrap()]
    const moved = await Promise.all([one, other].map((project) => projects.update(project.id, { path: '/moved' })))
    expect(moved.filter((result) => result.isOk())).toHaveLength(1)
  })

  it('deletes files when the emulator cannot remove its data', async () => {
    const { emulation, emulators, stores, emitted } = createLab()
    const project = (await emulation.projects.create({ id }))._unsafeUnwrap()
    const pc = { projectId: id, kind: 'virtual-pc', id: vm } as const
    await emulation.instances.create({ ...pc, name: 'PC1', settings: {}, text: 'deleted' })
    await emulation.instances.remove(pc)
    emulators['virtual-pc'].emulator.remove = async () => {
      throw new Refusal('missing-program', 'VBoxManage could not be found')
    }
    expect((await emulation.projects.commit(id)).isOk()).toBe(true)
    expect(await stores.files.readText({ project, kind: 'virtual-pc', id: vm }, 'startup.vpc')).toBeUndefined()
    expect(emitted).toContain('log')
  })

  it('moves files to a new path, unless an instance runs', async () => {
    const { emulation } = createLab({ localMode: true })
    await emulation.projects.create({ id })
    const pc = { projectId: id, kind: 'virtual-pc', id: vm } as const
    await emulation.instances.create({ ...pc, name: 'PC1', settings: {}, text: 'echo %h' })
    await emulation.lifecycle.start(pc)
    expect((await emulation.projects.update(id, { path: '/new' }))._unsafeUnwrapErr().type).toBe('project-busy')
    await emulation.lifecycle.stop(pc)
    expect((await emulation.projects.update(id, { path: '/new' }))._unsafeUnwrap().path).toBe('/new')
    expect((await emulation.instances.find(pc))._unsafeUnwrap().text).toBe('echo PC1')
  })

  it('sets and removes the marker of a temporary project', async () => {
    const { emulation, stores, emitted } = createLab()
    await emulation.projects.create({ id, temporary: true })
    await emulation.projects.update(id, { temporary: false })
    await emulation.projects.update(id, {})
    expect(await stores.files.removeTemporary()).toBe(0)
    await emulation.projects.update(id, { temporary: true })
    expect(await stores.files.removeTemporary()).toBe(1)
    expect(emitted).toEqual(['project.created', 'project.updated', 'project.updated'])
  })

  it('keeps the files of a removed instance until it is committed', async () => {
    const { emulation, emulators, stores } = createLab()
    const project = (await emulation.projects.create({ id }))._unsafeUnwrap()
    const pc = { projectId: id, kind: 'virtual-pc', id: vm } as const
    const directory = { project, kind: 'virtual-pc', id: vm } as const
    await emulation.instances.create({ ...pc, name: 'PC1', settings: {}, text: 'one' })
    await emulation.instances.remove(pc)
    expect(await stores.files.readText(directory, 'startup.vpc')).toBe('one')
    const again = (await emulation.instances.create({ ...pc, name: 'PC1', settings: {} }))._unsafeUnwrap()
    expect(again.text).toBe('one')
    await emulation.projects.commit(id)
    expect(await stores.files.readText(directory, 'startup.vpc')).toBe('one')
    await emulation.instances.remove(pc)
    expect((await emulation.projects.commit(id)).isOk()).toBe(true)
    expect(await stores.files.readText(directory, 'startup.vpc')).toBeUndefined()
    expect(emulators['virtual-pc'].removed).toEqual([vm])
  })

  it('stops instances, frees ports and keeps all records when a project closes', async () => {
    const { emulation, emulators, consoles, ports, stores, emitted } = createLab()
    const project = (await emulation.projects.create({ id }))._unsafeUnwrap()
    const pc = { projectId: id, kind: 'virtual-pc', id: vm } as const
    await emulation.instances.create({ ...pc, name: 'PC1', settings: {}, text: 'kept' })
    await emulation.lifecycle.start(pc)
    expect((await emulation.projects.close(id)).isOk()).toBe(true)
    expect(emulators['virtual-pc'].runs[0]?.calls).toEqual(['stop'])
    expect(consoles.size).toBe(0)
    expect((await emulation.projects.find(id))._unsafeUnwrap().status).toBe('closed')
    expect((await emulation.instances.find(pc))._unsafeUnwrap()).toMatchObject({ name: 'PC1', state: 'stopped' })
    expect(ports.range('console')).toEqual({ first: 2000, last: 5000 })
    expect(await ports.claim('console', 2000)).toBe('claimed')
    expect(await stores.files.readText({ project, kind: 'virtual-pc', id: vm }, 'startup.vpc')).toBe('kept')
    expect(emitted.at(-1)).toBe('project.closed')

    await emulation.projects.create({ id })
    const again = (await emulation.instances.create({ ...pc, name: 'PC1', settings: {} }))._unsafeUnwrap()
    expect([again.settings.console, again.text, again.slot]).toEqual([2001, 'kept', 0])
  })

  it.each(['close', 'remove'] as const)('deletes the files of a project by %s', async (verb) => {
    const { emulation, emulators, stores } = createLab()
    const project = (await emulation.projects.create({ id, temporary: verb === 'close' }))._unsafeUnwrap()
    const pc = { projectId: id, kind: 'virtual-pc', id: vm } as const
    await emulation.instances.create({ ...pc, name: 'PC1', settings: {}, text: 'gone' })
    expect((await emulation.projects[verb](id)).isOk()).toBe(true)
    expect(await stores.files.readText({ project, kind: 'virtual-pc', id: vm }, 'startup.vpc')).toBeUndefined()
    expect(emulators['virtual-pc'].removed).toEqual([vm])
    expect((await emulation.projects[verb](id))._unsafeUnwrapErr().type).toBe('project-not-found')
  })

  it('refuses a new instance in a closing project', async () => {
    const { emulation, stores } = createLab()
    await emulation.projects.create({ id })
    const [closed, made] = await Promise.all([
      emulation.projects.close(id),
      emulation.instances.create({ projectId: id, kind: 'virtual-pc', name: 'late', settings: {} }),
    ])
    expect(closed.isOk()).toBe(true)
    expect(made._unsafeUnwrapErr().type).toBe('project-closed')
    expect(await stores.repositories.instances.list()).toEqual([])
  })

  it('limits the number of projects', async () => {
    const { emulation } = createLab({ limits: { projects: 1 } })
    await emulation.projects.create({})
    expect((await emulation.projects.create({}))._unsafeUnwrapErr().type).toBe('limit-reached')
    await emulation.projects.remove((await emulation.projects.list())[0]?.id ?? id)
    expect((await emulation.projects.create({})).isOk()).toBe(true)
  })

  it('refuses every operation on an absent project', async () => {
    const { projects } = createLab().emulation
    for (const result of [
      await projects.find(id),
      await projects.update(id, {}),
      await projects.commit(id),
      await projects.close(id),
      await projects.remove(id),
    ]) {
      expect(result._unsafeUnwrapErr()).toEqual({ type: 'project-not-found', projectId: id })
    }
  })
})
