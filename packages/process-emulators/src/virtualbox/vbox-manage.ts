import { Refusal } from '@trivium/emulation-core/ports'
import { findProgram } from '../processes/find-program.ts'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'
import { parseApiVersion, parseMachineReadable } from './machine-readable.ts'

/** 4.3, in which generic networking and what else is needed works. */
const OLDEST_API = 403

export interface VBoxManage {
  /** Runs one command; rejects with a `failed` refusal in the product's words. @returns what it printed */
  run(...parameters: readonly string[]): Promise<string>
  /** What the product knows of a VM; `undefined` where it knows none of that name or id. */
  describe(machine: string): Promise<ReadonlyMap<string, string> | undefined>
}

export interface VBoxManageOptions {
  readonly program: string
  readonly directories: readonly string[]
  readonly environment: ProcessEnvironment
  readonly timeoutMs: number
}

/** The product's command line, looked for at its first use. */
export function createVBoxManage({ program, directories, environment, timeoutMs }: VBoxManageOptions): VBoxManage {
  let checked: string | undefined

  const call = (path: string, parameters: readonly string[]) =>
    // It starts the product's own set-user-id programs.
    runProgram({ program: path, parameters: ['--nologo', ...parameters], environment, timeoutMs, unconfined: true })

  const find = async () => {
    const path = await findProgram({ program, directories, title: 'VirtualBox (VBoxManage)' })
    if (checked === path) return path
    const { output } = await call(path, ['list', 'systemproperties'])
    const version = parseApiVersion(output)
    if (version === undefined) throw new Refusal('failed', `${path} does not tell its version as VBoxManage does`)
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
  return line === '' ? 'VBoxManage failed without a word' : line
}
