import { Refusal } from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'

export interface QemuVersion {
  readonly text: string
  readonly major: number
  readonly minor: number
}

/** What a program of QEMU's is, as it says itself. */
export interface QemuProgram {
  readonly version: QemuVersion
  /** Whether it takes {@link sandboxParameters}. */
  readonly hasSandbox: boolean
}

/**
 * Lets the operating system's filter of calls (seccomp) refuse what a machine never needs: obsolete calls, other users'
 * rights, further programs, and the places of its threads and priorities.
 */
export const sandboxParameters = [
  '-sandbox',
  'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
] as const

/** Asks a program what it is. */
export async function qemuProgram(program: string, environment: ProcessEnvironment): Promise<QemuProgram> {
  const ask = async (parameters: readonly string[]) => {
    const { exitCode, output } = await runProgram({ program, parameters, environment, timeoutMs: 10_000 })
    return exitCode === 0 ? parseQemuVersion(output) : undefined
  }
  const sandboxed = await ask([...sandboxParameters, '-version'])
  const version = sandboxed ?? (await ask(['-version']))
  if (version === undefined) throw new Refusal('failed', `${program} does not tell its version as QEMU does`)
  return { version, hasSandbox: sandboxed !== undefined }
}

/** Reads `QEMU emulator version 7.2.22 (…)`. */
export function parseQemuVersion(output: string): QemuVersion | undefined {
  const text = /version\s+([0-9a-z.-]+)/i.exec(output)?.[1]
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(text ?? '') ?? []
  if (text === undefined || major === undefined || minor === undefined) return undefined
  return { text, major: Number(major), minor: Number(minor) }
}

export const isAtLeast = (version: QemuVersion, major: number, minor: number): boolean =>
  version.major > major || (version.major === major && version.minor >= minor)
