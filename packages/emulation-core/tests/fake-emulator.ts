import type { Kind } from '../src/index.ts'
import { kinds } from '../src/kinds/kinds.ts'
import {
  type EmulatedInstance,
  type Emulator,
  type ExitReport,
  type InstanceResources,
  type NicState,
  type OrphanedInstance,
  type ProcessRecord,
  Refusal,
  type RunningInstance,
  type StartOptions,
  type Wiring,
} from '../src/ports.ts'

export interface FakeRun {
  readonly instance: EmulatedInstance
  readonly wiring: Wiring
  readonly options: StartOptions
  readonly calls: string[]
  readonly typed: string[]
  /** What viewers of the display have sent. */
  readonly drawn: string[]
  readonly nics: Map<string, NicState>
  print(text: string): void
  /** Ends the run without a request. */
  endProcess(report: ExitReport): void
  /** Refuses every change of a NIC from now on. */
  refuseNics(): void
}

interface Behaviour {
  readonly reloads?: boolean
  readonly suspends?: boolean
  readonly processes?: boolean
  readonly accelerator?: string
  readonly resources?: InstanceResources
}

/** Creates an emulator without programs. It refuses certain names and options of instances. */
export function fakeEmulator<K extends Kind>(
  kind: K,
  { reloads, suspends, processes = true, accelerator, resources }: Behaviour = {},
) {
  const runs: FakeRun[] = []
  const orphans: OrphanedInstance[] = []
  const removed: string[] = []
  let nextPid = 1000

  const emulator: Emulator<K> = {
    kind,
    check: async (settings) => {
      if (JSON.stringify(settings).includes('/etc/')) throw new Refusal('not-allowed', 'That path is not allowed')
      return settings
    },
    start: async (instance, wiring, options) => {
      const { recorded } = options
      if (instance.name === 'absent program') {
        throw new Refusal('missing-program', 'vpcs could not be found, install vpcs', { debianPackage: 'vpcs' })
      }
      if (instance.name === 'fault') throw new Error('secret words')
      const own: ProcessRecord[] = processes ? [{ pid: nextPid++, startedAt: '1', program: kind }] : []
      if (processes) await recorded(own)
      if (instance.name === 'exits immediately') throw new Refusal('failed', 'It exited immediately: bad option')

      let show: (bytes: Uint8Array) => void = () => {}
      let exit: (report: ExitReport) => void = () => {}
      const exited = new Promise<ExitReport>((resolve) => {
        exit = resolve
      })
      let refusesNics = false
      const plugs = wiring.nics.map((nic) => wiring.plug(nic, () => {}))
      const nics = new Map(wiring.nics.map((nic) => [`${nic.adapter}/${nic.port}`, wiring.state(nic)]))
      const run: FakeRun = {
        instance,
        wiring,
        options,
        calls: [],
        typed: [],
        drawn: [],
        nics,
        print: (text) => show(new TextEncoder().encode(text)),
        endProcess: (report) => exit(report),
        refuseNics: () => {
          refusesNics = true
        },
      }
      runs.push(run)
      const running: RunningInstance<K> = {
        processes: own,
        console: {
          write: (bytes) => void run.typed.push(new TextDecoder().decode(bytes)),
          onOutput: (listener) => {
            show = listener
            show(new TextEncoder().encode(`${instance.name} is up\r\n`))
          },
        },
        exited,
        ...('consoleType' in instance.settings &&
        (instance.settings.consoleType === 'vnc' || instance.settings.consoleType === 'spice')
          ? {
              display: {
                protocol: instance.settings.consoleType,
                connect: async ({ data, closed }) => {
                  data(new TextEncoder().encode('RFB 003.008\n'))
                  return {
                    write: (bytes) => void run.drawn.push(new TextDecoder('latin1').decode(bytes)),
                    bufferedBytes: 0,
                    pause: () => {},
                    resume: () => {},
                    close: closed,
                  }
                },
              },
            }
          : {}),
        ...(accelerator === undefined ? {} : { accelerator }),
        stop: async () => {
          run.calls.push('stop')
          for (const plug of plugs) plug.unplug()
          exit({ exitCode: 0, log: '' })
        },
        ...(suspends
          ? {
              suspend: async () => void run.calls.push('suspend'),
              resume: async () => void run.calls.push('resume'),
            }
          : {}),
        ...(reloads ? { reload: async () => void run.calls.push('reload') } : {}),
        update: async ({ name }) => {
          if (name === 'refused live') throw new Refusal('failed', 'The monitor does not answer')
          run.calls.push(`update ${name}`)
        },
        nicChanged: async (nic, state) => {
          if (refusesNics) throw new Refusal('failed', 'The monitor does not answer')
          nics.set(`${nic.adapter}/${nic.port}`, state)
        },
        ...(resources ? { resources: async () => resources } : {}),
        ...(kind === 'ethernet-switch'
          ? {
              macTable: async () => [{ mac: '00:50:79:66:68:00', vlan: 1, port: 1 }],
              clearMacTable: async () => void run.calls.push('clear'),
              stormDrops: async () => ({ broadcast: 3, multicast: 2, unknownUnicast: 1 }),
            }
          : {}),
      }
      return running
    },
    remove: async ({ id }) => void removed.push(id),
    endOrphans: async (orphanedInstances) => void orphans.push(...orphanedInstances),
    programs: async () => [{ path: `/usr/bin/${kind}`, version: '1.0' }],
    machineNames: async () => ['VM 1'],
    capabilities: async () => ({ acceleratedArchitectures: ['x86_64'] }),
  }
  return { emulator, runs, orphans, removed }
}

export const fakeEmulators = () => {
  const resources = { cpuSeconds: 1.25, memoryBytes: 64 * 2 ** 20 }
  const machine = fakeEmulator('machine', { reloads: true, suspends: true, accelerator: 'tcg', resources })
  const router = fakeEmulator('router')
  const virtualPc = fakeEmulator('virtual-pc', { processes: false })
  const desktopVm = fakeEmulator('desktop-vm', { reloads: true, suspends: true })
  const ethernetSwitch = fakeEmulator('ethernet-switch', { processes: false })
  const container = fakeEmulator('container', { suspends: true })
  return {
    machine,
    router,
    'virtual-pc': virtualPc,
    'desktop-vm': desktopVm,
    'ethernet-switch': ethernetSwitch,
    container,
  }
}

export const kindNames = Object.values(kinds).map(({ kind }) => kind)
