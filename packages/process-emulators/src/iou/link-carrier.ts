import { join } from 'node:path'
import type { InstanceId } from '@trivium/emulation-core'
import type { NicAddress, NicState, ProcessRecord, UdpPlug, Wiring } from '@trivium/emulation-core/ports'
import { nicKey } from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { type EmulatorProcess, startProcess } from '../processes/start-process.ts'
import { writePlainFile } from '../processes/write-plain-file.ts'
import { iouyapConfiguration } from './iouyap-configuration.ts'
import { PEER_OFFSET } from './netmap.ts'

const CONFIGURATION_FILE = 'iouyap.ini'

export interface LinkCarrierOptions {
  readonly program: string
  readonly instanceId: InstanceId
  readonly applicationId: number
  readonly directory: string
  readonly environment: ProcessEnvironment
  readonly wiring: Wiring
  /** Called with the number of bytes that were written to its log. */
  readonly logged?: ((bytes: number) => void) | undefined
}

/** The iouyap process, which carries frames between the sockets of a router and the link relay for connected NICs. */
export interface LinkCarrier {
  /** Starts iouyap. Rejects with a `failed` refusal. */
  start(): Promise<EmulatorProcess>
  /** Attaches or detaches a NIC, and makes iouyap read its new configuration. */
  change(nic: NicAddress, state: NicState): Promise<void>
  readonly processes: readonly ProcessRecord[]
  /** Ends iouyap and detaches all NICs. */
  stop(): Promise<void>
}

export async function createLinkCarrier(options: LinkCarrierOptions): Promise<LinkCarrier> {
  const { program, instanceId, applicationId, directory, environment, wiring, logged } = options
  const plugs = new Map<string, { readonly nic: NicAddress; readonly plug: UdpPlug }>()
  let process: EmulatorProcess | undefined

  const plug = async (nic: NicAddress) => {
    const key = nicKey({ instanceId, ...nic })
    if (!plugs.has(key)) plugs.set(key, { nic, plug: await wiring.plugUdp(nic) })
  }
  const unplug = async (nic: NicAddress) => {
    const key = nicKey({ instanceId, ...nic })
    const plugged = plugs.get(key)
    plugs.delete(key)
    await plugged?.plug.unplug()
  }
  const unplugAll = () => Promise.all([...plugs.values()].map(({ nic }) => unplug(nic)))
  const writeConfiguration = () => {
    const tunnels = [...plugs.values()].map(({ nic, plug: { devicePort, relayPort } }) => ({
      nic,
      localPort: devicePort,
      remotePort: relayPort,
    }))
    return writePlainFile(join(directory, CONFIGURATION_FILE), iouyapConfiguration(applicationId, tunnels))
  }

  try {
    for (const nic of wiring.nics) if (wiring.state(nic).connected) await plug(nic)
    await writeConfiguration()
  } catch (error) {
    await unplugAll()
    throw error
  }

  return {
    start: async () => {
      process = await startProcess({
        program,
        parameters: ['-q', `${applicationId + PEER_OFFSET}`],
        directory,
        logFile: 'iouyap.log',
        logged,
        environment,
        instanceId,
        terminal: 'log',
      })
      return process
    },
    change: async (nic, { connected }) => {
      const before = plugs.size
      if (connected) await plug(nic)
      else await unplug(nic)
      if (plugs.size === before) return
      await writeConfiguration()
      process?.signal('SIGHUP')
    },
    get processes() {
      return process === undefined || process.hasExited() ? [] : [process.record]
    },
    stop: async () => {
      await process?.stop()
      await unplugAll()
    },
  }
}
