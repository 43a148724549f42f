import { qemuEmulator } from '../src/qemu/index.ts'
import { vpcsEmulator } from '../src/vpcs/index.ts'
import { createBenchNetwork } from './bench-network.ts'
import { instanceIdOf, instanceOf, machineSettings } from './instances.ts'

/** A separate server process. It starts a virtual PC and a machine, prints their recorded processes, and runs on. */
const [pcId, pcDirectory, machineId, machineDirectory, monitor] = process.argv.slice(2)
if (pcId === undefined || pcDirectory === undefined || machineId === undefined || machineDirectory === undefined) {
  throw new Error('Two ids with their directories are needed')
}

const network = createBenchNetwork()
const printRecord = (kind: string) => async (processes: readonly unknown[]) => {
  console.log(JSON.stringify({ kind, processes }))
}

const pc = instanceOf('virtual-pc', pcDirectory, { console: 2000 }, { id: instanceIdOf(pcId), slot: 0 })
const settings = { ...machineSettings, monitor: Number(monitor), cpuThrottlingPercent: 50 }
const machine = instanceOf('machine', machineDirectory, settings, { id: instanceIdOf(machineId) })
await vpcsEmulator().start(pc, network.wiring('pc'), { recorded: printRecord('virtual-pc') })
const emulator = qemuEmulator({ imageDirectories: [machineDirectory], acceleration: 'tcg' })
await emulator.start(machine, network.wiring('machine'), { recorded: printRecord('machine') })
console.log(JSON.stringify({ kind: 'ready' }))
