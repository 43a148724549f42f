import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { architectureOf } from './machine-program.ts'
import { PROOF_SIGN, proofProgram } from './proof-program.ts'
import { watchOutput } from './watch-output.ts'

/** `auto` uses the host's accelerator where it is proved to work, and plain emulation elsewhere. */
export type Acceleration = 'auto' | 'tcg' | 'kvm' | 'hvf' | 'whpx'

export interface AccelerationProof {
  /** The accelerator that works for the program's architecture; `undefined` where none does. At most one proof a program runs. */
  find(program: string): Promise<string | undefined>
}

export interface AccelerationProofOptions {
  readonly environment: ProcessEnvironment
  /** How long a machine may take to show that it computes. @default 5000 */
  readonly timeoutMs?: number
}

const accelerators: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'kvm', darwin: 'hvf', win32: 'whpx' }

/** Architectures that the host's processor can lend to a machine, and for which there is a program that proves it. */
export const hostArchitectures: readonly string[] = arch() === 'x64' ? ['x86_64', 'i386'] : []

/**
 * A device file says little: nested and paravirtual hosts have one that starts machines which then compute a thousand
 * times too slowly, or stop at their first page table. So each program boots a small sector once.
 */
export function createAccelerationProof(options: AccelerationProofOptions): AccelerationProof {
  const { environment, timeoutMs = 5000 } = options
  const proofs = new Map<string, Promise<string | undefined>>()

  const prove = async (program: string): Promise<string | undefined> => {
    const accelerator = accelerators[platform()]
    const architecture = architectureOf(program) ?? 'x86_64'
    if (accelerator === undefined || !hostArchitectures.includes(architecture)) return undefined
    const works = await boots({ program, accelerator, environment, timeoutMs })
    return works ? accelerator : undefined
  }

  return {
    find: (program) => {
      let proof = proofs.get(program)
      if (proof === undefined) {
        proof = prove(program)
        proofs.set(program, proof)
        proof.catch(() => proofs.delete(program))
      }
      return proof
    },
  }
}

export interface BootOptions extends Required<AccelerationProofOptions> {
  readonly program: string
  readonly accelerator: string
}

/** Whether a machine with this accelerator shows the sign in time. */
export async function boots({ program, accelerator, environment, timeoutMs }: BootOptions): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-proof-'))
  try {
    const sector = join(directory, 'sector')
    await writeFile(sector, proofProgram())
    return await watchOutput({
      program,
      parameters: [
        ...['-accel', accelerator, '-m', '64', '-display', 'none', '-monitor', 'none', '-serial', 'stdio'],
        ...['-net', 'none', '-drive', `file=${sector.replaceAll(',', ',,')},format=raw,if=floppy`],
      ],
      environment,
      sign: PROOF_SIGN,
      timeoutMs,
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
