import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExitReport, RunningInstance } from '@trivium/emulation-core/ports'
import { createStreamConsole } from '../processes/stream-console.ts'
import { detachParameters } from './network-adapters.ts'
import type { VBoxManage } from './vbox-manage.ts'

const POLL_MS = 200
const POWER_OFF_MS = 30_000

const offStates: ReadonlySet<string | undefined> = new Set(['poweroff', 'saved', 'aborted', 'aborted-saved', undefined])

export interface RunningVmOptions {
  readonly manage: VBoxManage
  readonly machine: string
  readonly adapters: number
  /** Absent without a remote console. */
  readonly serial: Socket | undefined
  /** Milliseconds between two checks whether the VM still runs. */
  readonly watchMs: number
  /** Called once the VM has ended. */
  readonly release: () => Promise<void>
}

/** Watches a VM that has started. The instance ends when the VM is off, or when it is stopped. */
export function runningVm(options: RunningVmOptions): RunningInstance<'desktop-vm'> {
  const { manage, machine, adapters, serial, watchMs, release } = options
  let ended = false
  let finish: (report: ExitReport) => void = () => {}
  const exited = new Promise<ExitReport>((resolve) => {
    finish = resolve
  })

  const end = async (log: string) => {
    if (ended) return exited
    ended = true
    clearInterval(watch)
    serial?.destroy()
    await detachVm(manage, machine, adapters).catch(() => {})
    await release()
    finish({ log })
    return exited
  }
  const checkState = async () => {
    const state = await vmState(manage, machine).catch(() => 'unknown')
    if (offStates.has(state)) await end(`The VirtualBox VM is ${state ?? 'not registered'}`)
  }
  // One check runs at a time, and a stop waits for it: VBoxManage must not outlive the instance.
  let check: Promise<void> | undefined
  const checkUnlessBusy = () => {
    if (ended || check) return
    check = checkState().finally(() => {
      check = undefined
    })
  }
  const watch = setInterval(checkUnlessBusy, watchMs)
  watch.unref()
  serial?.once('close', checkUnlessBusy)

  return {
    processes: [],
    ...(serial === undefined ? {} : { console: createStreamConsole({ input: serial, output: serial }) }),
    exited,
    stop: async () => {
      if (ended) return void (await exited)
      await powerOff(manage, machine)
      await end('')
      await check
    },
    suspend: async () => {
      if ((await vmState(manage, machine)) === 'running') await manage.run('controlvm', machine, 'pause')
    },
    resume: async () => void (await manage.run('controlvm', machine, 'resume')),
    reload: async () => {
      await manage.run('controlvm', machine, 'reset')
      // A reset alone leaves a suspended machine suspended.
      if ((await vmState(manage, machine)) === 'paused') await manage.run('controlvm', machine, 'resume')
    },
    nicChanged: async ({ adapter }, { connected, linkUp }) => {
      // A new adapter is added at the next start.
      if (ended || adapter >= adapters) return
      const state = connected && linkUp ? 'on' : 'off'
      // The relay does not depend on the carrier: a failure of VirtualBox must not prevent the change.
      await manage.run('controlvm', machine, `setlinkstate${adapter + 1}`, state).catch(() => {})
    },
  }
}

const vmState = async (manage: VBoxManage, machine: string): Promise<string | undefined> =>
  (await manage.describe(machine))?.get('VMState')

export const isOff = (state: string | undefined): boolean => offStates.has(state)

/** Powers the VM off. Resolves when it is off, or after 30 seconds. */
export async function powerOff(manage: VBoxManage, machine: string): Promise<void> {
  if (offStates.has(await vmState(manage, machine))) return
  await manage.run('controlvm', machine, 'poweroff')
  for (let waited = 0; waited < POWER_OFF_MS; waited += POLL_MS) {
    if (offStates.has(await vmState(manage, machine))) return
    await wait(POLL_MS)
  }
}

/** Detaches the serial port and the adapters of the VM. */
export async function detachVm(manage: VBoxManage, machine: string, adapters: number): Promise<void> {
  await manage.run('modifyvm', machine, '--uart1', 'off')
  for (let adapter = 0; adapter < adapters; adapter += 1) {
    await manage.run('modifyvm', machine, ...detachParameters(adapter))
  }
}
