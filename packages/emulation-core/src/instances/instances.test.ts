import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { kindNames } from '../../tests/fake-emulator.ts'
import { createLab, type Lab } from '../../tests/lab.ts'
import type { Kind } from '../kinds/kind.ts'
import type { NewSettings } from '../kinds/new-settings.ts'
import type { ProjectId } from '../projects/project.ts'
import { Refusal } from '../refusal.ts'
import type { NewInstance } from './create-instance.ts'
import type { InstanceId } from './instance.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const otherProject = '33333333-3333-4333-8333-333333333333' as ProjectId
const id = '22222222-2222-4222-8222-222222222222' as InstanceId

const least: { readonly [K in Kind]: NewSettings<K> } = {
  machine: { program: 'qemu-system-x86_64' },
  router: { image: '/images/router.bin' },
  'virtual-pc': {},
  'desktop-vm': { machineName: 'VM 1' },
  'ethernet-switch': {},
  nat: {},
  cloud: {},
  container: { image: 'frr' },
}

async function openLab(options: Parameters<typeof createLab>[0] = {}) {
  const lab = createLab(options)
  await lab.emulation.projects.create({ id: projectId })
  return lab
}

const make = <K extends Kind>({ emulation }: Lab, kind: K, changes: Partial<NewInstance<K>> = {}) =>
  emulation.instances.create({ projectId, kind, name: kind, settings: least[kind], ...changes })

const freePorts = async ({ ports }: Lab) => [await ports.allocate('console'), await ports.allocate('console')]

describe('Instances.update', () => {
  it('refuses a setting that is chosen at the creation', async () => {
    const lab = await openLab()
    const { id } = (await make(lab, 'ethernet-switch', { settings: { deviceType: 'hub' } }))._unsafeUnwrap()
    const reference = { projectId, kind: 'ethernet-switch', id } as const
    // A host in JavaScript can name it.
    const settings: object = { deviceType: 'switch' }
    const refused = await lab.emulation.instances.update(reference, { settings })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'setting-fixed', setting: 'deviceType' })
  })
})

describe('Instances.create', () => {
  it('sets the defaults of every kind', async () => {
    const lab = await openLab()
    const made = [
      (await make(lab, 'machine'))._unsafeUnwrap().settings,
      (await make(lab, 'router'))._unsafeUnwrap().settings,
      (await make(lab, 'virtual-pc'))._unsafeUnwrap().settings,
      (await make(lab, 'desktop-vm'))._unsafeUnwrap().settings,
      (await make(lab, 'ethernet-switch'))._unsafeUnwrap().settings,
    ]
    expect(made).toEqual([
      {
        program: 'qemu-system-x86_64',
        console: 2000,
        monitor: 2001,
        memoryMegabytes: 256,
        adapters: 1,
        adapterType: 'e1000',
        cpuThrottlingPercent: 0,
        priority: 'low',
        primaryDisk: '',
        secondaryDisk: '',
        initialRamDisk: '',
        kernelImage: '',
        kernelCommandLine: '',
        options: '',
        legacyNetworking: false,
        tertiaryDisk: '',
        quaternaryDisk: '',
        primaryDiskInterface: 'ide',
        secondaryDiskInterface: 'ide',
        tertiaryDiskInterface: 'ide',
        quaternaryDiskInterface: 'ide',
        cdromImage: '',
        biosImage: '',
        uefi: false,
        bootPriority: 'c',
        macAddress: '',
        cpus: 1,
        maxCpus: 1,
        serialPorts: 1,
        consoleType: 'telnet',
        closeAction: 'power-off',
        customAdapters: [],
        usage: '',
      },
      {
        image: '/images/router.bin',
        console: 2002,
        ethernetAdapters: 2,
        serialAdapters: 2,
        memoryMegabytes: 256,
        nvramKilobytes: 128,
        keepalives: false,
      },
      { console: 2003 },
      {
        machineName: 'VM 1',
        cloneOf: '',
        console: 2004,
        remoteConsole: false,
        headless: false,
        adapters: 0,
        adapterType: 'Intel PRO/1000 MT Desktop (82540EM)',
        useAnyAdapter: false,
      },
      { ports: [] },
    ])
  })

  it('names a linked clone after the instance', async () => {
    const lab = await openLab()
    const made = await make(lab, 'desktop-vm', { name: 'Clone', settings: { machineName: 'Base', linkedClone: true } })
    expect(made._unsafeUnwrap().settings).toMatchObject({ machineName: 'Clone', cloneOf: 'Base' })
  })

  it('takes the requested ports', async () => {
    const lab = await openLab()
    const made = await make(lab, 'machine', { settings: { program: 'q', console: 2001 } })
    expect(made._unsafeUnwrap().settings).toMatchObject({ console: 2001, monitor: 2000 })
    const refused = await make(lab, 'machine', { settings: { program: 'q', console: 2002, monitor: 2001 } })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'port-unavailable', port: 2001, reason: 'taken' })
    const same = await make(lab, 'machine', { settings: { program: 'q', console: 2010, monitor: 2010 } })
    expect(same._unsafeUnwrapErr()).toMatchObject({ type: 'port-unavailable', port: 2010 })
    expect(await freePorts(lab)).toEqual([2002, 2003])
  })

  it('refuses a port that another program uses', async () => {
    const lab = await openLab()
    lab.busy.add('console 2000')
    lab.busy.add('console 2222')
    expect((await make(lab, 'virtual-pc'))._unsafeUnwrap().settings.console).toBe(2001)
    expect((await make(lab, 'virtual-pc', { settings: { console: 2222 } }))._unsafeUnwrapErr()).toMatchObject({
      reason: 'in-use',
    })
  })

  it('returns the existing instance when the id exists in the same project and kind', async () => {
    const lab = await openLab()
    const first = (await make(lab, 'virtual-pc', { id }))._unsafeUnwrap()
    const again = await make(lab, 'virtual-pc', { id, name: 'other', settings: { console: 2500 } })
    expect(again._unsafeUnwrap()).toEqual(first)
    expect((await make(lab, 'router', { id }))._unsafeUnwrapErr()).toEqual({ type: 'instance-id-taken', id })
    await lab.emulation.projects.create({ id: otherProject })
    const elsewhere = await make(lab, 'virtual-pc', { id, projectId: otherProject })
    expect(elsewhere._unsafeUnwrapErr()).toEqual({ type: 'instance-id-taken', id })
    expect(lab.emitted.filter((name) => name === 'instance.created')).toHaveLength(1)
  })

  it('creates one instance for two concurrent creations of an id', async () => {
    const lab = await openLab()
    const [one, other] = await Promise.all([make(lab, 'virtual-pc', { id }), make(lab, 'virtual-pc', { id })])
    expect(one._unsafeUnwrap()).toEqual(other._unsafeUnwrap())
    expect(await freePorts(lab)).toEqual([2001, 2002])
  })

  it('accepts two instances with the same name', async () => {
    const lab = await openLab()
    expect((await make(lab, 'virtual-pc', { name: 'same' })).isOk()).toBe(true)
    expect((await make(lab, 'virtual-pc', { name: 'same' })).isOk()).toBe(true)
  })

  it('numbers virtual PCs in their project and routers on the server', async () => {
    const lab = await openLab()
    await lab.emulation.projects.create({ id: otherProject })
    const slots = []
    for (const project of [projectId, projectId, otherProject]) {
      slots.push((await make(lab, 'virtual-pc', { projectId: project }))._unsafeUnwrap().slot)
      slots.push((await make(lab, 'router', { projectId: project }))._unsafeUnwrap().slot)
    }
    expect(slots).toEqual([0, 1, 1, 2, 0, 3])
    expect((await make(lab, 'machine'))._unsafeUnwrap().slot).toBeUndefined()
  })

  it('creates at most 511 routers', async () => {
    const lab = await openLab()
    for (let count = 0; count < 511; count += 1) expect((await make(lab, 'router')).isOk()).toBe(true)
    expect((await make(lab, 'router'))._unsafeUnwrapErr()).toEqual({ type: 'slots-exhausted', kind: 'router' })
    expect(await freePorts(lab)).toEqual([2511, 2512])
  })

  it('frees everything when it fails', async () => {
    const lab = await openLab({ limits: { instancesOfAProject: 2 } })
    const refused = await make(lab, 'router', { settings: { image: '/etc/passwd' }, text: 'x', id })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'refused', reason: 'not-allowed' })
    expect(await lab.stores.repositories.instances.list()).toEqual([])
    const next = (await make(lab, 'router', { id }))._unsafeUnwrap()
    expect([next.settings.console, next.slot, next.textFile]).toEqual([2000, 1, null])
    expect((await make(lab, 'router')).isOk()).toBe(true)
    expect((await make(lab, 'router'))._unsafeUnwrapErr()).toEqual({
      type: 'limit-reached',
      what: 'instances',
      limit: 2,
    })
    await lab.emulation.instances.remove({ projectId, kind: 'router', id })
    expect((await make(lab, 'router')).isOk()).toBe(true)
  })

  it('frees everything when the store fails', async () => {
    const lab = await openLab()
    const { add } = lab.stores.repositories.instances
    lab.stores.repositories.instances.add = () => Promise.reject(new Error('store down'))
    await expect(make(lab, 'virtual-pc', { text: 'x', id })).rejects.toMatchObject({
      name: 'StoreFailure',
      cause: { message: 'store down' },
    })
    lab.stores.repositories.instances.add = add
    const next = (await make(lab, 'virtual-pc', { id }))._unsafeUnwrap()
    expect([next.settings.console, next.slot, next.text]).toEqual([2000, 0, null])
  })

  it('starts a switch', async () => {
    const lab = await openLab()
    expect((await make(lab, 'ethernet-switch'))._unsafeUnwrap().state).toBe('started')
    expect(lab.emulators['ethernet-switch'].runs).toHaveLength(1)
    const refused = await make(lab, 'ethernet-switch', { name: 'exits immediately' })
    expect(refused._unsafeUnwrapErr().type).toBe('refused')
    expect(await lab.stores.repositories.instances.list()).toHaveLength(1)
  })

  it('creates instances without an emulator, which cannot be started', async () => {
    const lab = await openLab({ emulators: {} })
    for (const kind of kindNames) {
      const made = (await make(lab, kind))._unsafeUnwrap()
      const reference = { projectId, kind, id: made.id }
      expect((await lab.emulation.instances.update(reference, { name: 'new' }))._unsafeUnwrap().name).toBe('new')
      expect((await lab.emulation.instances.remove(reference)).isOk()).toBe(true)
    }
    const pc = (await make(lab, 'virtual-pc'))._unsafeUnwrap()
    const started = await lab.emulation.lifecycle.start({ projectId, kind: 'virtual-pc', id: pc.id })
    expect(started._unsafeUnwrapErr()).toEqual({ type: 'emulator-absent', kind: 'virtual-pc' })
  })
})

describe('Instances', () => {
  it('reports which part of a reference does not match', async () => {
    const lab = await openLab()
    const { instances, projects } = lab.emulation
    await projects.create({ id: otherProject })
    await make(lab, 'virtual-pc', { id, name: 'PC1' })
    const find = async (reference: Parameters<typeof instances.find>[0]) =>
      (await instances.find(reference))._unsafeUnwrapErr()
    const absent = '99999999-9999-4999-8999-999999999999'
    expect(await find({ projectId: absent as ProjectId, kind: 'virtual-pc', id })).toEqual({
      type: 'project-not-found',
      projectId: absent,
    })
    expect(await find({ projectId, kind: 'router', id })).toEqual({ type: 'instance-not-found', kind: 'router', id })
    expect(await find({ projectId, kind: 'router', id: absent as InstanceId })).toMatchObject({ id: absent })
    expect(await find({ projectId: otherProject, kind: 'virtual-pc', id })).toEqual({
      type: 'instance-elsewhere',
      kind: 'virtual-pc',
      name: 'PC1',
      projectId: otherProject,
    })
    const notRemoved = await instances.remove({ projectId: otherProject, kind: 'virtual-pc', id })
    expect(notRemoved._unsafeUnwrapErr().type).toBe('instance-elsewhere')
  })

  it('lists the instances of a project, or of one kind', async () => {
    const lab = await openLab()
    for (const kind of kindNames) await make(lab, kind)
    await make(lab, 'virtual-pc', { name: 'last', text: 'x' })
    const all = (await lab.emulation.instances.list(projectId))._unsafeUnwrap()
    expect(all.map(({ kind }) => kind)).toEqual([...kindNames, 'virtual-pc'])
    const pcs = (await lab.emulation.instances.list(projectId, 'virtual-pc'))._unsafeUnwrap()
    expect(pcs.map(({ name, text }) => [name, text])).toEqual([
      ['virtual-pc', null],
      ['last', 'x'],
    ])
    expect((await lab.emulation.instances.list(otherProject))._unsafeUnwrapErr().type).toBe('project-not-found')
  })
})

describe('Instances.update', () => {
  it('keeps fields that are left out', async () => {
    const lab = await openLab()
    const before = (await make(lab, 'machine', { id }))._unsafeUnwrap()
    const reference = { projectId, kind: 'machine', id } as const
    const after = await lab.emulation.instances.update(reference, { name: 'new', settings: { memoryMegabytes: 64 } })
    expect(after._unsafeUnwrap()).toEqual({
      ...before,
      name: 'new',
      settings: { ...before.settings, memoryMegabytes: 64 },
      changedAt: expect.any(Date),
      revision: 1,
    })
    expect((await lab.emulation.instances.find(reference))._unsafeUnwrap()).toEqual(after._unsafeUnwrap())
  })

  it('frees the old port, and refuses a taken one', async () => {
    const lab = await openLab()
    const { instances } = lab.emulation
    await make(lab, 'machine', { id })
    const pc = (await make(lab, 'virtual-pc'))._unsafeUnwrap()
    const reference = { projectId, kind: 'machine', id } as const
    const taken = await instances.update(reference, {
      name: 'x',
      settings: { console: 2100, monitor: pc.settings.console },
    })
    expect(taken._unsafeUnwrapErr()).toMatchObject({ type: 'port-unavailable', port: 2002 })
    expect((await instances.find(reference))._unsafeUnwrap()).toMatchObject({
      name: 'machine',
      settings: { console: 2000 },
    })
    const swapped = await instances.update(reference, { settings: { console: 2001, monitor: 2000 } })
    expect(swapped._unsafeUnwrap().settings).toMatchObject({ console: 2001, monitor: 2000 })
    await instances.update(reference, { settings: { monitor: 2200 } })
    expect(await freePorts(lab)).toEqual([2000, 2003])
    expect(await lab.ports.claim('console', 2100)).toBe('claimed')
    const same = await instances.update(reference, { settings: { console: 2200 } })
    expect(same._unsafeUnwrapErr()).toMatchObject({ type: 'port-unavailable', port: 2200 })
  })

  it('replaces %h when a text is written, and the old name after a rename', async () => {
    const lab = await openLab()
    const { instances } = lab.emulation
    const reference = { projectId, kind: 'virtual-pc', id } as const
    const made = (await make(lab, 'virtual-pc', { id, name: 'PC1', text: 'set pcname %h\n' }))._unsafeUnwrap()
    expect([made.textFile, made.text]).toEqual(['startup.vpc', 'set pcname PC1\n'])
    const renamed = (await instances.update(reference, { name: 'PC2' }))._unsafeUnwrap()
    expect(renamed.text).toBe('set pcname PC2\n')
    const both = (await instances.update(reference, { name: 'PC3', text: 'echo %h PC2' }))._unsafeUnwrap()
    expect(both.text).toBe('echo PC3 PC2')
    const untouched = (await instances.update(reference, { settings: { console: 2100 } }))._unsafeUnwrap()
    expect(untouched.text).toBe('echo PC3 PC2')
    expect((await instances.update(reference, { text: '' }))._unsafeUnwrap()).toMatchObject({ text: '' })
  })

  it('creates no text file by a rename', async () => {
    const lab = await openLab()
    const reference = { projectId, kind: 'router', id } as const
    await make(lab, 'router', { id })
    const renamed = (await lab.emulation.instances.update(reference, { name: 'R2' }))._unsafeUnwrap()
    expect(renamed.textFile).toBeNull()
    expect((await lab.emulation.instances.text(reference))._unsafeUnwrap()).toBeNull()
    const written = (await lab.emulation.instances.update(reference, { text: 'hostname %h' }))._unsafeUnwrap()
    expect([written.textFile, written.text]).toEqual(['initial-config.cfg', null])
    expect((await lab.emulation.instances.text(reference))._unsafeUnwrap()).toBe('hostname R2')
  })

  it('updates a running instance, or changes nothing when it refuses', async () => {
    const lab = await openLab()
    const reference = { projectId, kind: 'virtual-pc', id } as const
    await make(lab, 'virtual-pc', { id, text: 'x' })
    await lab.emulation.lifecycle.start(reference)
    expect([...lab.consoles.keys()]).toEqual([2000])
    await lab.emulation.instances.update(reference, { name: 'new', settings: { console: 2100 } })
    expect([...lab.consoles.keys()]).toEqual([2100])
    expect(lab.emulators['virtual-pc'].runs[0]?.calls).toEqual(['update new'])
    const refused = await lab.emulation.instances.update(reference, {
      name: 'refused live',
      text: 'y',
      settings: { console: 2101 },
    })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'refused', message: 'The monitor does not answer' })
    expect([...lab.consoles.keys()]).toEqual([2100])
    expect((await lab.emulation.instances.find(reference))._unsafeUnwrap()).toMatchObject({ name: 'new', text: 'x' })
    expect(await lab.ports.claim('console', 2101)).toBe('claimed')
    const unbound = await lab.emulation.instances.update(reference, { settings: { console: 2999 } })
    expect(unbound._unsafeUnwrapErr()).toMatchObject({ type: 'refused', reason: 'unavailable' })
    expect(await lab.ports.claim('console', 2999)).toBe('claimed')
  })

  it('disconnects NICs that the new settings do not have', async () => {
    const lab = await openLab()
    const reference = { projectId, kind: 'machine', id } as const
    await make(lab, 'machine', { id, settings: { program: 'q', adapters: 2 } })
    for (const [adapter, localPort] of [
      [0, 10_000],
      [1, 10_001],
    ] as const) {
      const nio = { type: 'udp', localPort, remoteHost: '127.0.0.1', remotePort: 9 } as const
      expect((await lab.emulation.connections.connect(reference, { adapter, port: 0 }, { nio })).isOk()).toBe(true)
    }
    const smaller = await lab.emulation.instances.update(reference, { settings: { adapters: 1 } })
    expect(smaller._unsafeUnwrap().connections).toHaveLength(1)
    expect(lab.relay.cables.size).toBe(1)
    expect(await lab.ports.allocate('udp')).toBe(10_001)
  })

  it('keeps the ports when the emulator refuses', async () => {
    const lab = await openLab()
    await make(lab, 'machine', { id })
    const refused = await lab.emulation.instances.update(
      { projectId, kind: 'machine', id },
      { name: 'x', settings: { primaryDisk: '/etc/shadow', console: 2100 } },
    )
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'refused', reason: 'not-allowed' })
    expect(await freePorts(lab)).toEqual([2002, 2003])
  })

  it('changes only the name and the ports of an instance whose image was deleted', async () => {
    const lab = await openLab()
    const router = { projectId, kind: 'router', id } as const
    await make(lab, 'router', { id })
    lab.emulators.router.emulator.check = async () => {
      throw new Refusal('unusable-image', 'The image is not accessible')
    }
    const { instances } = lab.emulation
    const settings = { ...least.router, memoryMegabytes: 256, console: 2100 }
    const changed = (await instances.update(router, { name: 'R2', settings }))._unsafeUnwrap()
    expect([changed.name, changed.settings.console]).toEqual(['R2', 2100])
    const refused = await instances.update(router, { settings: { memoryMegabytes: 512 } })
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'refused', reason: 'unusable-image' })
  })

  it('runs updates of one instance one after the other', async () => {
    const lab = await openLab()
    const reference = { projectId, kind: 'virtual-pc', id } as const
    await make(lab, 'virtual-pc', { id })
    const updates = Array.from({ length: 20 }, (_none, number) =>
      lab.emulation.instances.update(reference, { name: `PC ${number}` }),
    )
    for (const result of await Promise.all(updates)) expect(result.isOk()).toBe(true)
    expect((await lab.emulation.instances.find(reference))._unsafeUnwrap()).toMatchObject({
      name: 'PC 19',
      revision: 20,
    })
  })
})

describe('any sequence of operations', () => {
  it('never assigns a port to two instances, and frees all ports at the end', async () => {
    const step = fc.oneof(
      fc.record({
        verb: fc.constant('create' as const),
        kind: fc.constantFrom(...kindNames),
        port: fc.option(fc.integer({ min: 2000, max: 2006 })),
      }),
      fc.record({ verb: fc.constant('update' as const), index: fc.nat(5), port: fc.integer({ min: 2000, max: 2006 }) }),
      fc.record({ verb: fc.constant('remove' as const), index: fc.nat(5) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const lab = await openLab()
        const { instances } = lab.emulation
        for (const action of steps) {
          const current = (await instances.list(projectId))._unsafeUnwrap()
          if (action.verb === 'create') {
            const hasConsole = !['ethernet-switch', 'nat', 'cloud'].includes(action.kind)
            const wanted = action.port === null || !hasConsole ? {} : { console: action.port }
            await make(lab, action.kind, { settings: { ...least[action.kind], ...wanted } })
            continue
          }
          const instance = current[action.index % Math.max(1, current.length)]
          if (!instance) continue
          const { kind } = instance
          const reference = { projectId, kind, id: instance.id }
          if (action.verb === 'remove') await instances.remove(reference)
          else if (kind === 'virtual-pc' || kind === 'machine')
            await instances.update({ ...reference, kind }, { settings: { console: action.port } })
          const numbers = (await instances.list(projectId))
            ._unsafeUnwrap()
            .flatMap(({ settings }) => [
              ...('console' in settings ? [settings.console] : []),
              ...('monitor' in settings ? [settings.monitor] : []),
            ])
          expect(new Set(numbers).size).toBe(numbers.length)
        }
        await lab.emulation.projects.close(projectId)
        expect(await freePorts(lab)).toEqual([2000, 2001])
      }),
      { numRuns: 60 },
    )
  })
})
