import { mkdtemp, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EmulatedInstance, Refusal, type RunningInstance, type Wiring } from '@trivium/emulation-core/ports'
import { plugNics } from '../processes/plug-nics.ts'
import { adapterLimit, attachParameters, requireAdapters } from './network-adapters.ts'
import { networkCard } from './network-card.ts'
import { removeRunningRecord, writeRunningRecord } from './running-record.ts'
import { detachVm, isOff, powerOff, runningVm } from './running-vm.ts'
import { connectSerialPipe } from './serial-pipe.ts'
import type { VBoxManage } from './vbox-manage.ts'

const SERIAL_MS = 10_000

export interface StartVmOptions {
  readonly manage: VBoxManage
  /** The name or UUID of the VM in VirtualBox. */
  readonly machine: string
  readonly instance: EmulatedInstance<'desktop-vm'>
  readonly wiring: Wiring
  readonly watchMs: number
}

/** Configures the adapters and serial port of the VM, starts it and connects to its console. */
export async function startVm(options: StartVmOptions): Promise<RunningInstance<'desktop-vm'>> {
  const { manage, machine, instance, wiring, watchMs } = options
  const { directory, settings } = instance
  const { adapters, headless, remoteConsole } = settings
  const information = await manage.describe(machine)
  if (information === undefined) throw new Refusal('unusable-image', `There is no VirtualBox VM '${machine}'.`)
  if (!isOff(information.get('VMState'))) throw new Refusal('unavailable', 'VirtualBox VM not powered off or saved')
  requireAdapters(information, settings)

  const card = networkCard(settings.adapterType)
  const pipeDirectory = await mkdtemp(join(tmpdir(), 'trivium-vm-'))
  const plugged = await plugNics(wiring, wiring.nics).catch(async (error: unknown) => {
    await rm(pipeDirectory, { recursive: true, force: true })
    throw error
  })
  const release = async () => {
    await plugged.unplug()
    await rm(pipeDirectory, { recursive: true, force: true })
    await removeRunningRecord(directory)
  }

  let serial: Socket | undefined
  try {
    for (const { nic, plug } of plugged.nics) {
      const { connected, linkUp } = wiring.state(nic)
      const ports = { localPort: plug.devicePort, remotePort: plug.relayPort }
      const link = { adapter: nic.adapter, card, ...ports, cableConnected: connected && linkUp }
      await manage.run('modifyvm', machine, ...attachParameters(link))
    }
    const rest = Array.from({ length: adapterLimit(information) - adapters }, (_, at) => `--nic${adapters + at + 1}`)
    if (rest.length > 0) await manage.run('modifyvm', machine, ...rest.flatMap((option) => [option, 'none']))
    const pipe = join(pipeDirectory, 'serial')
    if (remoteConsole) await manage.run('modifyvm', machine, '--uart1', '0x3F8', '4', '--uartmode1', 'server', pipe)
    await writeRunningRecord(directory, { machine, adapters })
    await manage.run('startvm', machine, ...(headless ? ['--type', 'headless'] : []))
    await manage.run('guestproperty', 'set', machine, 'NameInGNS3', instance.name)
    await manage.run('guestproperty', 'set', machine, 'ProjectDirInGNS3', directory)
    if (remoteConsole) serial = await connectSerialPipe(pipe, SERIAL_MS)
  } catch (error) {
    await powerOff(manage, machine).catch(() => {})
    await detachVm(manage, machine, adapters).catch(() => {})
    await release()
    throw error
  }
  return runningVm({ manage, machine, adapters, serial, watchMs, release })
}
