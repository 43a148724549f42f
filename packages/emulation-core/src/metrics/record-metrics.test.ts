import { describe, expect, it } from 'vitest'
import { createLab, createStores } from '../../tests/lab.ts'
import type { InstanceId } from '../instances/instance.ts'
import type { ProjectId } from '../projects/project.ts'
import type { MetricsRecorder } from './metrics-recorder.ts'

const projectId = '11111111-1111-4111-8111-111111111111' as ProjectId
const pc = { projectId, kind: 'virtual-pc', id: '22222222-2222-4222-8222-000000000001' as InstanceId } as const
const machine = { projectId, kind: 'machine', id: '22222222-2222-4222-8222-000000000002' as InstanceId } as const
const nic = { adapter: 0, port: 0 }
const capture = { fileName: 'one.pcap', dataLinkType: 'DLT_EN10MB' }
const DAY_MS = 24 * 60 * 60 * 1000

/** Keeps values as a recorder for Prometheus does: sums of counters and the latest values of gauges. */
function memoryRecorder() {
  const values: Record<string, number> = {}
  const recorder: MetricsRecorder = {
    record: ({ name, kind }, value, labels) => {
      const key = [name.replace('trivium.emulation.', ''), ...Object.values(labels)].join(' ')
      values[key] = kind === 'counter' ? (values[key] ?? 0) + value : value
    },
  }
  return { values, recorder }
}

async function openLab(stores = createStores()) {
  const { values, recorder } = memoryRecorder()
  const lab = createLab({ metrics: recorder, limits: { captureDays: 2 } }, stores)
  const { projects, instances } = lab.emulation
  await projects.create({ id: projectId })
  await instances.create({ ...pc, name: 'PC1', settings: {} })
  await instances.create({ ...machine, name: 'M1', settings: { program: 'q' } })
  return { ...lab, values }
}

describe('recordMetrics', () => {
  it('counts running instances by kind regardless of how they end, and starts by accelerator', async () => {
    const { emulation, emulators, values } = await openLab()
    const { lifecycle, instances } = emulation
    for (const one of [pc, machine]) await lifecycle.start(one)
    await lifecycle.suspend(machine)
    expect(values).toEqual({
      'instance.running virtual-pc': 1,
      'instance.running machine': 1,
      'instance.starts virtual-pc': 1,
      'instance.starts machine tcg': 1,
    })
    await lifecycle.start(machine)
    emulators.machine.runs[0]?.endProcess({ exitCode: 1, log: '' })
    await expect.poll(() => values['instance.running machine']).toBe(0)
    await lifecycle.start(machine)
    await lifecycle.stop(pc)
    expect(values).toMatchObject({ 'instance.running virtual-pc': 0, 'instance.starts machine tcg': 2 })
    await instances.remove(machine)
    expect(values['instance.running machine']).toBe(0)
  })

  it('ignores a failed start', async () => {
    const { emulation, values } = await openLab()
    await emulation.instances.update(machine, { name: 'exits immediately' })
    expect((await emulation.lifecycle.start(machine)).isErr()).toBe(true)
    expect(values).toEqual({})
  })

  it('records running captures, the size of all files and the limit that ended a capture', async () => {
    const { emulation, relay, values } = await openLab()
    const { captures } = emulation
    const active = () => relay.cables.get(`${pc.id}/0/0`)?.capture
    await captures.start(pc, nic, capture)
    active()?.claim?.(100_000)
    expect(values).toMatchObject({ 'capture.running': 1, 'capture.size': 100_024 })
    active()?.ended?.('project')
    await expect.poll(() => values['capture.running']).toBe(0)
    expect(values['capture.limited project']).toBe(1)
    await captures.start(pc, nic, capture)
    await captures.stop(pc, nic)
    await captures.remove(projectId, 'one.pcap')
    expect(values).toMatchObject({ 'capture.running': 0, 'capture.size': 0, 'capture.limited project': 1 })
  })

  it('counts capture files of the last run at a start, and files that are removed', async () => {
    const { emulation, stores } = await openLab()
    await emulation.captures.start(pc, nic, capture)
    await emulation.captures.stop(pc, nic)
    const [{ bytes = 0 } = {}] = (await emulation.captures.list(projectId))._unsafeUnwrap()
    await emulation.close()
    expect(bytes).toBeGreaterThan(0)

    const again = memoryRecorder()
    const second = createLab({ metrics: again.recorder, limits: { captureDays: 2 } }, stores)
    await second.emulation.start()
    expect(again.values).toEqual({ 'capture.running': 0, 'capture.size': bytes })
    second.clock.time = new Date(Date.now() + 2 * DAY_MS - 1_000)
    await second.emulation.captures.list(projectId)
    expect(again.values).toMatchObject({ 'capture.size': bytes })
    second.clock.time = new Date(Date.now() + 2 * DAY_MS + 1_000)
    await second.emulation.captures.list(projectId)
    expect(again.values).toMatchObject({ 'capture.size': 0, 'retention.removed captures': 1 })
  })

  it('stops counting the captures of a deleted project', async () => {
    const { emulation, values } = await openLab()
    await emulation.captures.start(pc, nic, capture)
    await emulation.projects.remove(projectId)
    expect(values).toMatchObject({ 'capture.running': 0, 'capture.size': 0 })
  })

  it('counts only connections of web pages to consoles and monitors', async () => {
    const { emulation, emulators, consoles, values } = await openLab()
    const { settings } = (await emulation.lifecycle.start(pc))._unsafeUnwrap()
    await emulation.lifecycle.start(machine)
    const connect = consoles.get(settings.console)
    connect?.('GET / HTTP/1.1\r\n')
    connect?.('show ip\r\n')
    connect?.('Host: x\r\n')
    emulators.machine.runs[0]?.options.monitorRefused?.()
    expect(values).toMatchObject({ 'console.refusals console': 2, 'console.refusals monitor': 1 })
  })

  it('counts the bytes of the logs of emulators by kind', async () => {
    const { emulation, emulators, values } = await openLab()
    await emulation.lifecycle.start(machine)
    for (const bytes of [10, 20]) emulators.machine.runs[0]?.options.logged?.(bytes)
    expect(values['log.written machine']).toBe(30)
  })
})
