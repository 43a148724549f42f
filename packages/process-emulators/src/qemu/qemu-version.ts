import { Refusal } from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'

export interface QemuVersion {
  readonly text: string
  readonly major: number
  readonly minor: number
}

/** The version and abilities of a QEMU program. */
export interface QemuProgram {
  readonly version: QemuVersion
  /** Whether it accepts {@link sandboxParameters}. */
  readonly hasSandbox: boolean
}

/**
 * Refuses system calls that a machine never needs, by seccomp: obsolete calls, changes of user, starts of programs, and
 * changes of affinities and priorities.
 */
export const sandboxParameters = [
  '-sandbox',
  'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny',
] as const

/** Runs a program to get its version. Rejects with a `failed` refusal where it prints none. */
export async function qemuProgram(program: string, environment: ProcessEnvironment): Promise<QemuProgram> {
  const readVersion = async (parameters: readonly string[]) => {
    const { exitCode, output } = await runProgram({ program, parameters, environment, timeoutMs: 10_000 })
    return exitCode === 0 ? parseQemuVersion(output) : undefined
  }
  const sandboxed = await readVersion([...sandboxParameters, '-version'])
  const version = sandboxed ?? (await readVersion(['-version']))
  if (version === undefined) throw new Refusal('failed', `${program} does not print a version in the format of QEMU.`)
  return { version, hasSandbox: sandboxed !== undefined }
}

/** Reads `QEMU emulator version 7.2.22 (…)`. `undefined` for any other text. */
export function parseQemuVersion(output: string): QemuVersion | undefined {
  const text = /version\s+([0-9a-z.-]+)/i.exec(output)?.[1]
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(text ?? '') ?? []
  if (text === undefined || major === undefined || minor === undefined) return undefined
  return { text, major: Number(major), minor: Number(minor) }
}

export const isAtLeast = (version: QemuVersion, major: number, minor: number): boolean =>
  version.major > major || (version.major === major && version.minor >= minor)
