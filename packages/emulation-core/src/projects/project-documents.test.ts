import { afterEach, describe, expect, it, vi } from 'vitest'
import { createLab, createStores, type Lab } from '../../tests/lab.ts'
import type { InstanceId } from '../instances/instance.ts'
import { Refusal } from '../refusal.ts'
import type { ProjectId } from './project.ts'

const id = '11111111-1111-4111-8111-111111111111' as ProjectId
const other = '99999999-9999-4999-8999-999999999999' as ProjectId
const [one, two, device] = ['2', '3', '4'].map((digit) => `${digit.repeat(8)}-2222-4222-8222-222222222222`) as [
  InstanceId,
  InstanceId,
  InstanceId,
]
const pc1 = { projectId: id, kind: 'virtual-pc', id: one } as const
const pc2 = { projectId: id, kind: 'virtual-pc', id: two } as const
const nic = { adapter: 0, port: 0 }

const udp = (localPort: number, remotePort: number) =>
  ({ type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort }) as const

/** Creates a project with two virtual PCs, a link between them and a switch. */
async function openLinked(lab: Lab) {
  const { projects, instances, connections } = lab.emulation
  await projects.create({ id, name: 'Lab' })
  await instances.create({ ...pc1, name: 'PC1', settings: {}, text: 'ip 10.0.0.1/24\n' })
  await instances.create({ ...pc2, name: 'PC2', settings: {} })
  await instances.create({ projectId: id, kind: 'ethernet-switch', id: device, name: 'S1', settings: {} })
  await connections.connect(pc1, nic, { nio: udp(10_000, 10_001) })
  await connections.connect(pc2, nic, { nio: udp(10_001, 10_000), linkUp: false })
}

const linksOf = async ({ emulation }: Lab, projectId: ProjectId) =>
  (await emulation.links.list(projectId))
    ._unsafeUnwrap()
    .map(({ ends }) => ends.map(({ instance: { name }, connection: { linkUp } }) => `${name} ${linkUp}`))

const list = async ({ emulation }: Lab, projectId: ProjectId) =>
  (await emulation.instances.list(projectId))._unsafeUnwrap()

afterEach(() => vi.useRealTimers())

describe('a closed project', () => {
  it('has the same instances and links when it is opened again', async () => {
    const lab = createLab()
    await openLinked(lab)
    const before = await list(lab, id)
    await lab.emulation.projects.close(id)
    expect(await list(lab, id)).toEqual(before.map((instance) => ({ ...instance, state: 'stopped' })))
    expect(lab.relay.cables.size).toBe(0)
    const opened = (await lab.emulation.projects.open(id))._unsafeUnwrap()
    expect(opened).toMatchObject({ id, name: 'Lab', status: 'opened' })
    expect(await list(lab, id)).toEqual(before)
    expect(await linksOf(lab, id)).toEqual([['PC1 true', 'PC2 false']])
    expect(lab.emitted.slice(-2)).toEqual(['project.closed', 'project.opened'])
  })

  it('frees its ports, and gets others where another project has taken them', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.projects.close(id)
    await lab.emulation.projects.create({ id: other })
    const taker = {
      projectId: other,
      kind: 'virtual-pc',
      id: '55555555-2222-4222-8222-222222222222' as InstanceId,
    } as const
    const taken = (await lab.emulation.instances.create({ ...taker, name: 'X', settings: {} }))._unsafeUnwrap()
    expect(taken.settings.console).toBe(2000)
    await lab.emulation.connections.connect(taker, nic, { nio: udp(10_000, 20_000) })
    expect((await lab.emulation.projects.open(id)).isOk()).toBe(true)
    const [first, second] = await list(lab, id)
    expect([first?.settings, second?.settings]).toMatchObject([{ console: 2001 }, { console: 2002 }])
    expect(await linksOf(lab, id)).toEqual([['PC1 true', 'PC2 false']])
    expect([first, second].flatMap((instance) => instance?.connections.map(({ nio }) => nio))).toEqual([
      udp(10_001, 10_002),
      udp(10_002, 10_001),
    ])
  })

  it('stays closed with nothing taken where no port is free', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.projects.close(id)
    for (let port = 2000; port <= 5000; port += 1) if (port !== 2000) lab.busy.add(`console ${port}`)
    expect((await lab.emulation.projects.open(id))._unsafeUnwrapErr().type).toBe('ports-exhausted')
    expect((await lab.emulation.projects.find(id))._unsafeUnwrap().status).toBe('closed')
    expect(await lab.ports.claim('console', 2000)).toBe('claimed')
    lab.ports.release('console', 2000)
    lab.busy.clear()
    expect((await lab.emulation.projects.open(id)).isOk()).toBe(true)
  })

  it('opens without a connection that the relay refuses, and logs it', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.projects.close(id)
    const messages: string[] = []
    lab.emulation.events.on('log', ({ message }) => messages.push(message))
    lab.relay.connect = async () => {
      throw new Refusal('unavailable', 'The name is unknown.')
    }
    expect((await lab.emulation.projects.open(id)).isOk()).toBe(true)
    expect(messages).toContain('PC1: Port 0 of adapter 0 could not be connected: The name is unknown.')
  })

  it('accepts one connection of each switch port from a client that builds the lab again', async () => {
    const lab = createLab()
    await openLinked(lab)
    const reference = { projectId: id, kind: 'ethernet-switch', id: device } as const
    const connect = (localPort: number) =>
      lab.emulation.connections.connectSwitchPort(reference, 1, { nio: udp(localPort, 30_000) })
    await connect(10_010)
    await lab.emulation.projects.close(id)
    await lab.emulation.projects.open(id)
    expect((await connect(10_020)).isOk()).toBe(true)
    expect((await connect(10_030))._unsafeUnwrapErr().type).toBe('nic-connected')
  })

  it('ends captures when it closes, and does not start them again', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.captures.start(pc1, nic, { fileName: 'a.pcap' })
    await lab.emulation.projects.close(id)
    await lab.emulation.projects.open(id)
    expect((await list(lab, id))[0]?.connections).toMatchObject([{ nio: { type: 'udp' } }])
    expect((await list(lab, id))[0]?.connections[0]).not.toHaveProperty('capture')
  })

  it('leaves nothing when it is deleted', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.projects.close(id)
    expect((await lab.emulation.projects.remove(id)).isOk()).toBe(true)
    expect(await lab.stores.repositories.instances.list()).toEqual([])
    expect(await lab.emulation.projects.list()).toEqual([])
    expect(await lab.stores.files.findProjects(id)).toEqual([])
  })

  it('stays closed over a restart, and keeps its ports free', async () => {
    const stores = createStores()
    const first = createLab({}, stores)
    await openLinked(first)
    await first.emulation.projects.close(id)
    await first.emulation.close()
    const second = createLab({}, stores)
    expect(await second.emulation.start()).toMatchObject({ projects: 1, instances: 3, problems: [] })
    expect((await second.emulation.projects.find(id))._unsafeUnwrap().status).toBe('closed')
    expect(second.emulation.projects.counts(id)).toMatchObject({ instances: 3, running: 0 })
    expect(await second.ports.claim('console', 2000)).toBe('claimed')
    expect((await second.emulation.lifecycle.start(pc1))._unsafeUnwrapErr().type).toBe('project-closed')
    expect((await second.emulation.projects.open(id)).isOk()).toBe(true)
    expect((await second.emulation.lifecycle.start(pc1)).isOk()).toBe(true)
  })

  it('opens with the server and starts its lab where it is set to', async () => {
    const stores = createStores()
    const first = createLab({}, stores)
    await openLinked(first)
    await first.emulation.projects.update(id, { autoOpen: true, autoStart: true })
    await first.emulation.projects.close(id)
    await first.emulation.close()
    const second = createLab({}, stores)
    const started = new Set<string>()
    const both = new Promise<void>((resolve) => {
      second.emulation.events.on('instance.started', ({ name }) => {
        if (started.add(name).size === 2) resolve()
      })
    })
    await second.emulation.start()
    await both
    expect((await second.emulation.projects.find(id))._unsafeUnwrap().status).toBe('opened')
    expect(second.emulation.projects.counts(id).running).toBe(2)
  })

  it('results from an update that archives the project, and not from one that fails', async () => {
    const lab = createLab()
    await openLinked(lab)
    const { projects } = lab.emulation
    await lab.emulation.lifecycle.start(pc1)
    const refused = await projects.update(id, { archived: true, path: '/elsewhere' })
    expect(refused._unsafeUnwrapErr().type).toBe('project-location-fixed')
    expect((await projects.find(id))._unsafeUnwrap()).toMatchObject({ status: 'opened', archived: false })
    expect(projects.counts(id).running).toBe(1)
    await projects.update(id, { locked: true })
    const archived = (await projects.update(id, { locked: false, archived: true }))._unsafeUnwrap()
    expect(archived).toMatchObject({ status: 'closed', archived: true, temporary: false })
    expect(projects.counts(id).running).toBe(0)
    expect((await projects.open(id))._unsafeUnwrapErr().type).toBe('project-archived')
  })

  it('stays permanent: neither an update nor a crash deletes it', async () => {
    const lab = createLab()
    await openLinked(lab)
    const { projects } = lab.emulation
    await projects.close(id)
    expect((await projects.update(id, { temporary: true }))._unsafeUnwrapErr().type).toBe('project-closed')
    await projects.update(id, { archived: true })
    expect((await projects.update(id, { temporary: true }))._unsafeUnwrap().temporary).toBe(false)
    const opened = createLab()
    await openLinked(opened)
    await opened.emulation.projects.update(id, { temporary: true })
    const written: unknown[] = []
    const { replace } = opened.stores.repositories.projects
    opened.stores.repositories.projects.replace = (project) => {
      written.push([project.status, project.temporary])
      return replace(project)
    }
    await opened.emulation.projects.update(id, { archived: true })
    expect(written).toEqual([
      ['closed', false],
      ['closed', false],
    ])
  })

  it('keeps its details where its opening with others fails', async () => {
    const lab = createLab()
    await openLinked(lab)
    const { projects } = lab.emulation
    await projects.update(id, { archived: true })
    const before = (await projects.find(id))._unsafeUnwrap()
    expect((await projects.create({ id, name: 'Other' }))._unsafeUnwrapErr().type).toBe('project-archived')
    expect((await projects.find(id))._unsafeUnwrap()).toEqual(before)
    await projects.update(id, { archived: false })
    for (let port = 2000; port <= 5000; port += 1) lab.busy.add(`console ${port}`)
    expect((await projects.create({ id, name: 'Other' }))._unsafeUnwrapErr().type).toBe('ports-exhausted')
    expect((await projects.find(id))._unsafeUnwrap()).toMatchObject({ name: 'Lab', status: 'closed' })
    lab.busy.clear()
    expect((await projects.create({ id, name: 'Other' }))._unsafeUnwrap()).toMatchObject({ name: 'Other' })
  })

  it('opens while it is locked for a client that sends the same details', async () => {
    const lab = createLab()
    await openLinked(lab)
    const { projects } = lab.emulation
    const details = { description: 'What it shows', author: 'Ada', scene: { zoom: 50, width: 1000 } }
    await projects.update(id, { ...details, locked: true })
    await projects.close(id)
    expect((await projects.create({ id, name: 'Other' }))._unsafeUnwrapErr().type).toBe('project-locked')
    const { revision } = (await projects.find(id))._unsafeUnwrap()
    const same = { ...details, scene: { width: 1000, zoom: 50 }, locked: true }
    expect((await projects.update(id, same))._unsafeUnwrap().revision).toBe(revision)
    const opened = await projects.create({ id, name: 'Lab', temporary: false, ...same })
    expect(opened._unsafeUnwrap()).toMatchObject({ status: 'opened', locked: true })
  })

  it('survives a close and a commit while it is locked', async () => {
    const lab = createLab()
    await openLinked(lab)
    const { projects } = lab.emulation
    await projects.update(id, { temporary: true, locked: true })
    for (const verb of ['close', 'remove', 'commit'] as const)
      expect((await projects[verb](id))._unsafeUnwrapErr().type).toBe('project-locked')
    expect(await list(lab, id)).toHaveLength(3)
  })

  it('leaves a UDP port to a client that has reserved it meanwhile', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.projects.close(id)
    await lab.emulation.projects.create({ id: other })
    const reserved = (await lab.emulation.host.reserveUdpPort())._unsafeUnwrap()
    expect(reserved).toBe(10_000)
    await lab.emulation.projects.open(id)
    expect((await list(lab, id))[0]?.connections[0]?.nio).toEqual(udp(10_001, 10_002))
    const taker = {
      projectId: other,
      kind: 'virtual-pc',
      id: '55555555-2222-4222-8222-222222222222' as InstanceId,
    } as const
    await lab.emulation.instances.create({ ...taker, name: 'X', settings: {} })
    expect((await lab.emulation.connections.connect(taker, nic, { nio: udp(reserved, 20_000) })).isOk()).toBe(true)
  })

  it('counts against the limit of projects', async () => {
    const lab = createLab({ limits: { projects: 1 } })
    await lab.emulation.projects.create({ id })
    await lab.emulation.projects.close(id)
    expect((await lab.emulation.projects.create({}))._unsafeUnwrapErr().type).toBe('limit-reached')
  })
})

describe('a record of an earlier version', () => {
  it('reads as an open project without further details', async () => {
    const stores = createStores()
    const createdAt = new Date(1000)
    const old = { id, path: `/projects/${id}`, temporary: false, createdAt, revision: 0 }
    // An earlier version stored no more.
    await stores.repositories.projects.add(old as never)
    const { emulation } = createLab({}, stores)
    expect((await emulation.projects.find(id))._unsafeUnwrap()).toEqual({
      ...old,
      status: 'opened',
      archived: false,
      locked: false,
      autoOpen: false,
      autoStart: false,
      autoStopMinutes: 0,
      changedAt: createdAt,
    })
  })
})

describe('a copy of a project', () => {
  it('has the instances, texts and links of the original under new ids', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.instances.arrange(id, [{ id: one, x: 10, y: 20 }])
    const note = { projectId: id, x: 5, svg: '<svg><text>Note</text></svg>' }
    const drawn = (await lab.emulation.drawings.create(note))._unsafeUnwrap()
    const copy = (await lab.emulation.projects.duplicate(id, { name: 'Copy' }))._unsafeUnwrap()
    expect(copy).toMatchObject({ name: 'Copy', status: 'closed', temporary: false })
    const [original, copied] = [await list(lab, id), await list(lab, copy.id)]
    expect(copied.map(({ name, text, arrangement }) => ({ name, text, arrangement }))).toEqual(
      original.map(({ name, text, arrangement }) => ({ name, text, arrangement })),
    )
    const [copiedNote] = (await lab.emulation.drawings.list(copy.id))._unsafeUnwrap()
    expect(copiedNote).toMatchObject({ x: 5, svg: note.svg })
    expect(copiedNote?.id).not.toBe(drawn.id)
    expect(copied.some((instance) => original.some((known) => known.id === instance.id))).toBe(false)
    await lab.emulation.projects.open(copy.id)
    expect(await linksOf(lab, copy.id)).toEqual([['PC1 true', 'PC2 false']])
    expect((await list(lab, copy.id))[0]?.connections[0]?.nio).toEqual(udp(10_002, 10_003))
    expect(await linksOf(lab, id)).toEqual([['PC1 true', 'PC2 false']])
  })

  it('fails while the original runs, and for an id that exists', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.lifecycle.start(pc1)
    expect((await lab.emulation.projects.duplicate(id, {}))._unsafeUnwrapErr().type).toBe('project-busy')
    await lab.emulation.lifecycle.stop(pc1)
    await lab.emulation.projects.create({ id: other })
    expect((await lab.emulation.projects.duplicate(id, { id: other }))._unsafeUnwrapErr().type).toBe('project-exists')
    expect((await lab.emulation.projects.duplicate(id, { id }))._unsafeUnwrapErr().type).toBe('project-exists')
    expect(await lab.emulation.projects.list()).toHaveLength(2)
  })

  it('leaves nothing where a file cannot be copied', async () => {
    const stores = createStores()
    stores.files.copyInstance = async () => {
      throw new Refusal('unavailable', 'The disk is broken.')
    }
    const lab = createLab({}, stores)
    await openLinked(lab)
    expect((await lab.emulation.projects.duplicate(id, { id: other }))._unsafeUnwrapErr().type).toBe('refused')
    expect(await stores.repositories.projects.list()).toHaveLength(1)
    expect(await stores.repositories.instances.list({ projectId: other })).toEqual([])
    expect(await stores.files.findProjects(other)).toEqual([])
    expect(lab.emulation.projects.counts(other).instances).toBe(0)
  })

  it('stays hidden while it is incomplete, and ends with the next start after a crash', async () => {
    const stores = createStores()
    const lab = createLab({}, stores)
    await openLinked(lab)
    const copy = (await lab.emulation.projects.duplicate(id, { id: other }))._unsafeUnwrap()
    await stores.repositories.projects.replace({ ...copy, status: 'incomplete', revision: copy.revision + 1 })
    expect((await lab.emulation.projects.find(other))._unsafeUnwrapErr().type).toBe('project-not-found')
    await lab.emulation.close()
    const next = createLab({}, stores)
    expect(await next.emulation.start()).toMatchObject({ projects: 1, instances: 3 })
    expect(await stores.repositories.instances.list({ projectId: other })).toEqual([])
    expect(await stores.files.findProjects(other)).toEqual([])
    expect((await next.emulation.projects.create({ id: other })).isOk()).toBe(true)
  })

  it('gives a linked clone of a desktop VM a name of its own', async () => {
    const lab = createLab()
    await lab.emulation.projects.create({ id })
    const settings = { machineName: 'base', linkedClone: true }
    await lab.emulation.instances.create({ projectId: id, kind: 'desktop-vm', name: 'D', settings })
    const copy = (await lab.emulation.projects.duplicate(id, {}))._unsafeUnwrap()
    const [clone] = await list(lab, copy.id)
    expect(clone?.settings).toMatchObject({ cloneOf: 'base', machineName: `D-${clone?.id.slice(0, 8)}` })
  })
})

describe('copies at the same time under one id', () => {
  it('make one copy, with its counts', async () => {
    const lab = createLab({ limits: { projects: 4 } })
    await openLinked(lab)
    await lab.emulation.projects.create({ name: 'empty', id: '88888888-8888-4888-8888-888888888888' as ProjectId })
    const { projects } = lab.emulation
    const made = await Promise.all([
      ...[id, '88888888-8888-4888-8888-888888888888' as ProjectId, id].map((each) =>
        projects.duplicate(each, { id: other }),
      ),
      projects.create({ id: other }),
    ])
    expect(made.filter((result) => result.isOk())).toHaveLength(1)
    const instances = await list(lab, other)
    expect(projects.counts(other).instances).toBe(instances.length)
    expect((await projects.duplicate(id, {})).isOk()).toBe(true)
    expect((await projects.duplicate(id, {}))._unsafeUnwrapErr().type).toBe('limit-reached')
  })
})

describe('the start of a lab', () => {
  it('ends with a stop, also of instances whose start is under way', async () => {
    const lab = createLab()
    await openLinked(lab)
    const { projects } = lab.emulation
    const begun = new Promise<void>((resolve) => {
      const { emulator } = lab.emulators['virtual-pc']
      const { start } = emulator
      emulator.start = async (...values) => {
        resolve()
        await new Promise((later) => setTimeout(later))
        return start(...values)
      }
    })
    const run = projects.start(id)
    await begun
    const stop = projects.stop(id)
    const again = projects.start(id)
    expect((await run)._unsafeUnwrap().changed).toBe(2)
    expect((await stop)._unsafeUnwrap().changed).toBe(2)
    expect((await again)._unsafeUnwrap().failed).toEqual([])
    await projects.stop(id)
    expect(projects.counts(id).running).toBe(0)
  })

  it('starts instances by their order, and stops them in the other direction', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.instances.arrange(id, [
      { id: one, startOrder: 2 },
      { id: two, startOrder: 1 },
    ])
    const order: string[] = []
    lab.emulation.events.on('instance.started', ({ name }) => order.push(`${name} started`))
    lab.emulation.events.on('instance.stopped', ({ name }) => order.push(`${name} stopped`))
    expect((await lab.emulation.projects.start(id))._unsafeUnwrap()).toEqual({ changed: 2, failed: [] })
    expect(order).toEqual(['PC2 started', 'PC1 started'])
    expect((await lab.emulation.projects.start(id))._unsafeUnwrap()).toEqual({ changed: 0, failed: [] })
    expect((await lab.emulation.projects.stop(id))._unsafeUnwrap()).toEqual({ changed: 2, failed: [] })
    expect(new Set(order.slice(2))).toEqual(new Set(['PC1 stopped', 'PC2 stopped']))
  })

  it('waits for the delay of an instance, which a stop ends', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.instances.arrange(id, [{ id: one, startDelaySeconds: 600 }])
    vi.useFakeTimers()
    const begun = new Promise((resolve) => lab.emulation.events.once('instance.started', resolve))
    const run = lab.emulation.projects.start(id)
    await begun
    expect(lab.emulation.projects.counts(id).running).toBe(1)
    await vi.advanceTimersByTimeAsync(600_000)
    expect((await run)._unsafeUnwrap()).toEqual({ changed: 2, failed: [] })

    await lab.emulation.projects.stop(id)
    const again = lab.emulation.projects.start(id)
    await new Promise((resolve) => lab.emulation.events.once('instance.started', resolve))
    await lab.emulation.projects.stop(id)
    expect((await again)._unsafeUnwrap().changed).toBe(1)
    expect(lab.emulation.projects.counts(id).running).toBe(0)
  })

  it('reports instances that cannot start, and starts the others', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.instances.create({ projectId: id, kind: 'nat', name: 'N1', settings: {} })
    const run = (await lab.emulation.projects.start(id))._unsafeUnwrap()
    expect(run.changed).toBe(2)
    expect(run.failed).toMatchObject([{ instance: { name: 'N1' }, error: { type: 'emulator-absent', kind: 'nat' } }])
  })

  it('ends after the minutes that the project has', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.projects.update(id, { autoStopMinutes: 30 })
    vi.useFakeTimers()
    await lab.emulation.projects.start(id)
    await vi.advanceTimersByTimeAsync(29 * 60_000)
    expect(lab.emulation.projects.counts(id).running).toBe(2)
    const stopped = new Promise((resolve) => lab.emulation.events.once('instance.stopped', resolve))
    await vi.advanceTimersByTimeAsync(60_000)
    await stopped
    await vi.waitFor(() => expect(lab.emulation.projects.counts(id).running).toBe(0))
    expect(lab.emitted).toContain('log')
  })

  it('continues where the minutes were taken away, and leaves no timer after a close of the server', async () => {
    const lab = createLab()
    await openLinked(lab)
    await lab.emulation.projects.update(id, { autoStopMinutes: 30 })
    vi.useFakeTimers()
    await lab.emulation.projects.start(id)
    await lab.emulation.projects.update(id, { autoStopMinutes: 0 })
    await vi.advanceTimersByTimeAsync(60 * 60_000)
    expect(lab.emulation.projects.counts(id).running).toBe(2)
    await lab.emulation.projects.update(id, { autoStopMinutes: 30 })
    await lab.emulation.close()
    expect(vi.getTimerCount()).toBe(0)
    expect(lab.faults).toEqual([])
  })
})

describe('the time of the last change', () => {
  it('changes with an instance or a place, and not with a start', async () => {
    const lab = createLab()
    await openLinked(lab)
    const { projects, instances, lifecycle } = lab.emulation
    const times = [projects.counts(id).changedAt?.getTime()]
    await lifecycle.start(pc1)
    await lifecycle.stop(pc1)
    expect(projects.counts(id).changedAt?.getTime()).toBe(times[0])
    await instances.update(pc1, { name: 'PC9' })
    times.push(projects.counts(id).changedAt?.getTime())
    await instances.arrange(id, [{ id: two, x: 1 }])
    times.push(projects.counts(id).changedAt?.getTime())
    expect(times).toEqual([...new Set(times)].sort())
    await instances.remove(pc2)
    const project = (await projects.find(id))._unsafeUnwrap()
    expect(project.changedAt.getTime()).toBeGreaterThan(times.at(-1) ?? 0)
  })
})
