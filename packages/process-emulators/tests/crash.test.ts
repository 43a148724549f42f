import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ProcessRecord } from '@trivium/emulation-core/ports'
import { expect, it, onTestFinished } from 'vitest'
import { isAlive } from '../src/processes/process-identity.ts'
import { qemuEmulator } from '../src/qemu/index.ts'
import { vpcsEmulator } from '../src/vpcs/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { freeTcpPort } from './free-tcp-port.ts'
import { createRecorder, instanceOf, machineSettings, newInstanceId, newProjectId } from './instances.ts'
import { describeWith } from './require-programs.ts'
import { scratchDirectory } from './scratch-directory.ts'

interface Line {
  readonly kind: string
  readonly processes?: readonly ProcessRecord[]
}

describeWith(['qemu-system-x86_64', 'qemu-img', 'vpcs', 'cpulimit'], 'reaping after a crash of the server', () => {
  it('ends the processes of the crashed server and no others', async () => {
    const [pcId, machineId] = [newInstanceId(), newInstanceId()]
    const [pcDirectory, machineDirectory] = [await scratchDirectory(), await scratchDirectory()]
    const monitor = await freeTcpPort()
    const server = spawn(
      process.execPath,
      [
        '--conditions=@trivium/source',
        join(import.meta.dirname, 'crashing-server.ts'),
        ...[pcId, pcDirectory, machineId, machineDirectory, `${monitor}`],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    onTestFinished(() => void server.kill('SIGKILL'))
    const records = new Map<string, readonly ProcessRecord[]>()
    for await (const text of createInterface({ input: server.stdout })) {
      const line: Line = JSON.parse(text)
      if (line.kind === 'ready') break
      records.set(line.kind, line.processes ?? [])
    }
    const pcProcesses = records.get('virtual-pc') ?? []
    const machineProcesses = records.get('machine') ?? []
    expect([pcProcesses.length, machineProcesses.length]).toEqual([2, 2])

    // An instance of this server, which the crash does not affect.
    const network = createBenchNetwork()
    const otherPc = await vpcsEmulator().start(
      instanceOf('virtual-pc', await scratchDirectory(), { console: 2000 }),
      network.wiring('one'),
      createRecorder(),
    )
    onTestFinished(() => otherPc.stop())

    server.kill('SIGKILL')
    await once(server, 'exit')
    for (const process of [...pcProcesses, ...machineProcesses]) expect(await isAlive(process)).toBe(true)

    const projectId = newProjectId()
    // As when the server crashes before the helper of the machine is recorded.
    await qemuEmulator({ imageDirectories: [] }).endOrphans?.([
      { id: machineId, projectId, directory: machineDirectory, processes: machineProcesses.slice(0, 1) },
    ])
    for (const process of machineProcesses) expect(await isAlive(process)).toBe(false)
    for (const process of pcProcesses) expect(await isAlive(process)).toBe(true)
    await vpcsEmulator().endOrphans?.([{ id: pcId, projectId, directory: pcDirectory, processes: [] }])
    for (const process of pcProcesses) expect(await isAlive(process)).toBe(false)
    for (const process of otherPc.processes) expect(await isAlive(process)).toBe(true)

    // The same instance starts again in its directory.
    const machine = instanceOf('machine', machineDirectory, { ...machineSettings, monitor }, { id: machineId })
    const again = await qemuEmulator({ imageDirectories: [machineDirectory], acceleration: 'tcg' }).start(
      machine,
      network.wiring('two'),
      createRecorder(),
    )
    await again.stop()
  }, 60_000)
})
