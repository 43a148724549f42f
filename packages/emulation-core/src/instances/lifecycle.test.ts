import { describe, expect, it, vi } from 'vitest'
import { createLab } from '../../tests/lab.ts'
import type { ProjectId } from '../projects/project.ts'
import type { InstanceId, InstanceReference } from './instance.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const pc = { projectId, kind: 'virtual-pc', id: '22222222-2222-4222-8222-222222222222' as InstanceId } as const
const machine = { projectId, kind: 'machine', id: '33333333-3333-4333-8333-333333333333' as InstanceId } as const

async function openLab(options: Parameters<typeof createLab>[0] = {}) {
  const lab = createLab(options)
  await lab.emulation.projects.create({ id: projectId })
  await lab.emulation.instances.create({ ...pc, name: 'PC1', settings: {} })
  await lab.emulation.instances.create({ ...machine, name: 'M1', settings: { program: 'q' } })
  lab.emitted.length = 0
  return lab
}

const stored = async (lab: Awaited<ReturnType<typeof openLab>>, { id }: InstanceReference) =>
  lab.stores.repositories.instances.find(id)

describe('Lifecycle', () => {
  it('starts, suspends, resumes, reloads and stops an instance', async () => {
    const lab = await openLab()
    const { lifecycle } = lab.emulation
    expect((await lifecycle.start(machine))._unsafeUnwrap().state).toBe('started')
    expect((await lifecycle.suspend(machine))._unsafeUnwrap().state).toBe('suspended')
    expect((await lifecycle.suspend(machine))._unsafeUnwrap().state).toBe('suspended')
    expect((await lifecycle.resume(machine))._unsafeUnwrap().state).toBe('started')
    expect((await lifecycle.resume(machine)).isOk()).toBe(true)
    await lifecycle.suspend(machine)
    expect((await lifecycle.start(machine))._unsafeUnwrap().state).toBe('started')
    expect((await lifecycle.start(machine)).isOk()).toBe(true)
    expect((await lifecycle.reload(machine)).isOk()).toBe(true)
    expect((await lifecycle.stop(machine))._unsafeUnwrap().state).toBe('stopped')
    expect((await lifecycle.stop(machine)).isOk()).toBe(true)
    const calls = lab.emulators.machine.runs.map((run) => run.calls)
    expect(calls).toEqual([['suspend', 'resume', 'suspend', 'resume', 'reload', 'stop']])
    expect(lab.emitted).toEqual([
      'instance.started',
      'instance.suspended',
      'instance.resumed',
      'instance.suspended',
      'instance.resumed',
      'instance.stopped',
    ])
  })

  it('emits `instance.resumed` when a suspended instance is reloaded', async () => {
    const lab = await openLab()
    const { lifecycle } = lab.emulation
    await lifecycle.start(machine)
    await lifecycle.suspend(machine)
    expect((await lifecycle.reload(machine))._unsafeUnwrap().state).toBe('started')
    expect(lab.emitted).toEqual(['instance.started', 'instance.suspended', 'instance.resumed'])
  })

  it('stores the processes of an instance while it runs', async () => {
    const lab = await openLab()
    await lab.emulation.lifecycle.start(machine)
    expect((await stored(lab, machine))?.processes).toEqual([{ pid: 1000, startedAt: '1', program: 'machine' }])
    await lab.emulation.lifecycle.stop(machine)
    expect((await stored(lab, machine))?.processes).toEqual([])
  })

  it('refuses actions that a stopped instance or its kind does not support', async () => {
    const { lifecycle } = (await openLab()).emulation
    expect((await lifecycle.suspend(machine))._unsafeUnwrapErr().type).toBe('instance-not-started')
    expect((await lifecycle.resume(machine))._unsafeUnwrapErr().type).toBe('instance-not-started')
    await lifecycle.start(pc)
    expect((await lifecycle.suspend(pc))._unsafeUnwrapErr()).toMatchObject({
      type: 'action-unsupported',
      action: 'suspend',
    })
  })

  it('reloads an instance by stopping and starting it, and keeps its viewers', async () => {
    const lab = await openLab()
    const { lifecycle, consoles } = lab.emulation
    await lifecycle.start(pc)
    const hub = (await consoles.find(pc))._unsafeUnwrap()
    let shown = ''
    let closed = false
    hub.attach({
      send: (bytes) => {
        shown += new TextDecoder().decode(bytes)
      },
      bufferedBytes: 0,
      close: () => {
        closed = true
      },
    })
    expect((await lifecycle.reload(pc)).isOk()).toBe(true)
    expect(lab.emulators['virtual-pc'].runs).toHaveLength(2)
    expect([shown, closed]).toEqual(['PC1 is up\r\nPC1 is up\r\n', false])
    await lifecycle.stop(pc)
    expect(closed).toBe(true)
    expect((await lifecycle.reload(pc))._unsafeUnwrap().state).toBe('started')
  })

  it('shows one console over TCP and to other viewers at the same time', async () => {
    const lab = await openLab()
    await lab.emulation.lifecycle.start(pc)
    const hub = (await lab.emulation.consoles.find(pc))._unsafeUnwrap()
    const seen: string[] = []
    const input = hub.attach({
      send: (bytes) => seen.push(new TextDecoder().decode(bytes)),
      bufferedBytes: 0,
      close: () => {},
    })
    const connect = lab.consoles.get(2000)
    const tcp = connect?.('ip 10.0.0.1/24\r\n')
    input?.write(new TextEncoder().encode('show\r'))
    const run = lab.emulators['virtual-pc'].runs[0]
    run?.print('both')
    expect(run?.typed).toEqual(['ip 10.0.0.1/24\r', 'show\r'])
    expect(seen).toEqual(['PC1 is up\r\n', 'both'])
    expect(tcp?.received.slice(1)).toEqual(['PC1 is up\r\n', 'both'])
  })

  it('reports an absent console', async () => {
    const lab = await openLab()
    const { consoles, instances, lifecycle } = lab.emulation
    expect((await consoles.find(pc))._unsafeUnwrapErr().type).toBe('instance-not-started')
    const vm = (
      await instances.create({ projectId, kind: 'desktop-vm', name: 'VM', settings: { machineName: 'VM' } })
    )._unsafeUnwrap()
    const reference = { projectId, kind: 'desktop-vm', id: vm.id } as const
    await lifecycle.start(reference)
    expect((await consoles.find(reference))._unsafeUnwrapErr().type).toBe('console-absent')
    expect(lab.consoles.size).toBe(0)
  })

  it('logs the exit of an instance, and frees its console and NICs', async () => {
    const lab = await openLab()
    await lab.emulation.lifecycle.start(machine)
    const messages: string[] = []
    lab.emulation.events.on('log', ({ level, message }) => messages.push(`${level}: ${message}`))
    const stopped = new Promise<unknown>((resolve) =>
      lab.emulation.events.once('instance.stopped', (...event) => resolve(event)),
    )
    lab.emulators.machine.runs[0]?.endProcess({ exitCode: 1, log: 'qemu: no memory' })
    expect(await stopped).toMatchObject([
      { name: 'M1', state: 'stopped' },
      { unexpected: true, exit: { exitCode: 1 } },
    ])
    expect(messages).toEqual(['error: M1 has stopped by itself, return code 1:\nqemu: no memory'])
    expect((await stored(lab, machine))?.processes).toEqual([])
    expect([lab.consoles.size, lab.relay.devices.size]).toEqual([0, 0])
    expect((await lab.emulation.lifecycle.start(machine))._unsafeUnwrap().state).toBe('started')
  })

  it.each([
    ['exits immediately', 'failed'],
    ['absent program', 'missing-program'],
  ])('frees everything after a refused start: %s', async (name, reason) => {
    const lab = await openLab()
    await lab.emulation.instances.update(machine, { name })
    const refused = await lab.emulation.lifecycle.start(machine)
    expect(refused._unsafeUnwrapErr()).toMatchObject({ type: 'refused', reason })
    expect((await lab.emulation.instances.find(machine))._unsafeUnwrap().state).toBe('stopped')
    expect((await stored(lab, machine))?.processes).toEqual([])
    expect([lab.consoles.size, lab.relay.devices.size]).toEqual([0, 0])
  })

  it('frees everything after a fault at a start, and rejects with it', async () => {
    const lab = await openLab()
    await lab.emulation.instances.update(pc, { name: 'fault' })
    await expect(lab.emulation.lifecycle.start(pc)).rejects.toThrow('secret words')
    expect(lab.consoles.size).toBe(0)
    await lab.emulation.instances.update(pc, { name: 'fine' })
    expect((await lab.emulation.lifecycle.start(pc)).isOk()).toBe(true)
  })

  it('refuses to start when the console port cannot be bound', async () => {
    const lab = await openLab()
    await lab.emulation.instances.update(pc, { settings: { console: 2999 } })
    expect((await lab.emulation.lifecycle.start(pc))._unsafeUnwrapErr()).toMatchObject({ reason: 'unavailable' })
    expect(lab.emulators['virtual-pc'].runs).toEqual([])
  })

  it('limits running instances, without counting switches', async () => {
    const lab = await openLab({ limits: { runningInstances: 1 } })
    const { lifecycle } = lab.emulation
    const refused = { type: 'limit-reached', what: 'running instances', limit: 1 }
    const outcomes = await Promise.all([lifecycle.start(machine), lifecycle.start(pc)])
    expect(outcomes.map((outcome) => outcome.isOk())).toEqual([true, false])
    expect((await lifecycle.start(pc))._unsafeUnwrapErr()).toEqual(refused)
    expect((await lifecycle.reload(machine)).isOk()).toBe(true)
    const added = await lab.emulation.instances.create({ projectId, kind: 'ethernet-switch', name: 'S1', settings: {} })
    expect(added._unsafeUnwrap().state).toBe('started')
    await lifecycle.stop(machine)
    await lab.emulation.instances.update(pc, { name: 'fault' })
    await expect(lifecycle.start(pc)).rejects.toThrow('secret words')
    await lab.emulation.instances.update(pc, { name: 'fine' })
    expect((await lifecycle.start(pc)).isOk()).toBe(true)
    expect((await lifecycle.start(machine))._unsafeUnwrapErr()).toEqual(refused)
  })

  it('starts an instance once for two concurrent calls', async () => {
    const lab = await openLab()
    const both = await Promise.all([lab.emulation.lifecycle.start(pc), lab.emulation.lifecycle.start(pc)])
    expect(both.every((result) => result.isOk())).toBe(true)
    expect(lab.emulators['virtual-pc'].runs).toHaveLength(1)
  })

  it('continues when a listener throws', async () => {
    const lab = await openLab()
    lab.emulation.events.on('instance.started', () => {
      throw new Error('listener')
    })
    expect((await lab.emulation.lifecycle.start(pc)).isOk()).toBe(true)
    expect(lab.faults).toHaveLength(1)
  })

  it('stops all instances when the server closes, and keeps them stored', async () => {
    const lab = await openLab()
    await lab.emulation.lifecycle.start(pc)
    await lab.emulation.lifecycle.start(machine)
    await lab.emulation.close()
    expect(lab.emulators.machine.runs[0]?.calls).toEqual(['stop'])
    expect(lab.consoles.size).toBe(0)
    expect(lab.relay.calls.at(-1)).toBe('close')
    expect((await stored(lab, machine))?.processes).toEqual([])
    expect(await lab.stores.repositories.instances.list()).toHaveLength(2)
  })

  it('stops an instance that is starting when the server closes, and starts none afterwards', async () => {
    const lab = await openLab()
    const { emulator, runs } = lab.emulators['virtual-pc']
    const { start } = emulator
    const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    vi.spyOn(emulator, 'start').mockImplementation(async (...given) => {
      begun.resolve()
      await gate.promise
      return start(...given)
    })
    const starting = lab.emulation.lifecycle.start(pc)
    await begun.promise
    const closing = lab.emulation.close()
    gate.resolve()
    await Promise.all([starting, closing])
    expect(runs.map(({ calls }) => calls)).toEqual([['stop']])
    expect(lab.consoles.size).toBe(0)
    await expect(lab.emulation.lifecycle.start(machine)).rejects.toThrow('The emulation is closed')
  })

  it('closes the emulators when the relay fails to close', async () => {
    const close = vi.fn(async () => undefined)
    const lab = createLab()
    vi.spyOn(lab.relay, 'close').mockRejectedValue(new Error('busy'))
    Object.assign(lab.emulators.machine.emulator, { close })
    await lab.emulation.close()
    expect(close).toHaveBeenCalledOnce()
    expect(lab.faults).toEqual([new Error('busy')])
  })
})
