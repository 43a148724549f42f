import { Refusal } from '@trivium/emulation-core/ports'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'

export interface QemuVersion {
  readonly text: string
  readonly major: number
  readonly minor: number
}

export async function qemuVersion(program: string, environment: ProcessEnvironment): Promise<QemuVersion> {
  const { output } = await runProgram({ program, parameters: ['-version'], environment, timeoutMs: 10_000 })
  const version = parseQemuVersion(output)
  if (version === undefined) throw new Refusal('failed', `${program} does not tell its version as QEMU does`)
  return version
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
