import { Refusal } from '@trivium/emulation-core/ports'
import { findProgram } from '../processes/find-program.ts'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'
import { parseApiVersion, parseMachineReadable } from './machine-readable.ts'

/** 4.3, the first version with all required commands. */
const OLDEST_API = 403

export interface VBoxManage {
  /** Runs one command. Rejects with a `failed` refusal and the error of VirtualBox. @returns its output */
  run(...parameters: readonly string[]): Promise<string>
  /** The settings of a VM by name or UUID. `undefined` where the VM is not registered. */
  describe(machine: string): Promise<ReadonlyMap<string, string> | undefined>
}

export interface VBoxManageOptions {
  readonly program: string
  readonly directories: readonly string[]
  readonly environment: ProcessEnvironment
  readonly timeoutMs: number
}

/** Creates the interface to `VBoxManage`, which is searched at its first use. */
export function createVBoxManage({ program, directories, environment, timeoutMs }: VBoxManageOptions): VBoxManage {
  let checked: string | undefined

  const call = (path: string, parameters: readonly string[]) =>
    // It starts set-user-id programs of VirtualBox.
    runProgram({ program: path, parameters: ['--nologo', ...parameters], environment, timeoutMs, unconfined: true })

  const find = async () => {
    const path = await findProgram({ program, directories, title: 'VirtualBox (VBoxManage)' })
    if (checked === path) return path
    const { output } = await call(path, ['list', 'systemproperties'])
    const version = parseApiVersion(output)
    if (version === undefined)
      throw new Refusal('failed', `${path} does not print a version in the format of VBoxManage.`)
    if (version < OLDEST_API) throw new Refusal('unsupported', 'The VirtualBox API version is lower than 4.3')
    checked = path
    return path
  }

  const attempt = async (parameters: readonly string[]) => call(await find(), parameters)

  return {
    run: async (...parameters) => {
      const { exitCode, output, errorOutput } = await attempt(parameters)
      if (exitCode !== 0) throw new Refusal('failed', firstLine(errorOutput))
      return output
    },
    describe: async (machine) => {
      const { exitCode, output, errorOutput } = await attempt(['showvminfo', machine, '--machinereadable'])
      if (exitCode === 0) return parseMachineReadable(output)
      if (/Could not find a registered machine/i.test(errorOutput)) return undefined
      throw new Refusal('failed', firstLine(errorOutput))
    },
  }
}

function firstLine(text: string) {
  const line = text.trim().split(/\r?\n/)[0] ?? ''
  return line === '' ? 'VBoxManage failed without a message.' : line
}
