import { mkdtemp, rm } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { writePlainFile } from '../processes/write-plain-file.ts'
import { architectureOf } from './machine-program.ts'
import { PROOF_SIGN, proofProgram } from './proof-program.ts'
import { watchOutput } from './watch-output.ts'

/** `auto` uses the host's accelerator where it is proved to work, and plain emulation elsewhere. */
export type Acceleration = 'auto' | 'tcg' | 'kvm' | 'hvf' | 'whpx'

export interface AccelerationProof {
  /**
   * The accelerator that is proved to work for the program's architecture. Begins the proof where it has not begun, at most
   * one a program, and waits for it no longer than `patienceMs`.
   *
   * @returns `undefined` where none works, or none is proved by then
   */
  find(program: string): Promise<string | undefined>
  /** The same, as far as it is known now. */
  known(program: string): string | undefined
  /** Ends the proofs that still run. */
  close(): void
}

export interface AccelerationProofOptions {
  readonly environment: ProcessEnvironment
  /** How long a machine may take to show that it computes. @default 5000 */
  readonly timeoutMs?: number
  /** How long a machine that is to start waits for a proof. @default 2000 */
  readonly patienceMs?: number
  /** Whether a machine with this accelerator computes. @default one that boots */
  readonly prove?: (options: BootOptions) => Promise<boolean>
}

const accelerators: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'kvm', darwin: 'hvf', win32: 'whpx' }

/** Architectures that the host's processor can lend to a machine, and for which there is a program that proves it. */
export const hostArchitectures: readonly string[] = arch() === 'x64' ? ['x86_64', 'i386'] : []

/**
 * A device file says little: nested and paravirtual hosts have one that starts machines which then compute a thousand
 * times too slowly, or stop at their first page table. So each program boots a small sector once.
 */
export function createAccelerationProof(options: AccelerationProofOptions): AccelerationProof {
  const { environment, timeoutMs = 5000, patienceMs = 2000, prove: works = boots } = options
  const proofs = new Map<string, Promise<string | undefined>>()
  const proved = new Map<string, string>()
  const closing = new AbortController()

  const prove = async (program: string): Promise<string | undefined> => {
    const accelerator = accelerators[platform()]
    const architecture = architectureOf(program) ?? 'x86_64'
    if (accelerator === undefined || !hostArchitectures.includes(architecture)) return undefined
    if (!(await works({ program, accelerator, environment, timeoutMs, signal: closing.signal }))) return undefined
    proved.set(program, accelerator)
    return accelerator
  }

  const begin = (program: string): Promise<string | undefined> => {
    let proof = proofs.get(program)
    if (proof === undefined) {
      proof = prove(program)
      proofs.set(program, proof)
      proof.catch(() => proofs.delete(program))
    }
    return proof
  }

  return {
    find: async (program) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), patienceMs)
      })
      try {
        return await Promise.race([begin(program), late])
      } finally {
        clearTimeout(timer)
      }
    },
    known: (program) => {
      void begin(program).catch(() => undefined)
      return proved.get(program)
    },
    close: () => closing.abort(),
  }
}

export interface BootOptions {
  readonly program: string
  readonly accelerator: string
  readonly environment: ProcessEnvironment
  readonly timeoutMs: number
  /** Ends it early. */
  readonly signal: AbortSignal
}

/** Whether a machine with this accelerator shows the sign in time. */
export async function boots({ program, accelerator, ...options }: BootOptions): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-proof-'))
  try {
    const sector = join(directory, 'sector')
    await writePlainFile(sector, proofProgram())
    return await watchOutput({
      program,
      parameters: [
        ...['-accel', accelerator, '-m', '64', '-display', 'none', '-monitor', 'none', '-serial', 'stdio'],
        ...['-net', 'none', '-drive', `file=${sector.replaceAll(',', ',,')},format=raw,if=floppy`],
      ],
      sign: PROOF_SIGN,
      ...options,
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
