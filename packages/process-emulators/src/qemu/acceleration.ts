import { mkdtemp, rm } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { writePlainFile } from '../processes/write-plain-file.ts'
import { BOOT_SIGN, bootSector } from './boot-sector.ts'
import { architectureOf } from './machine-program.ts'
import { watchOutput } from './watch-output.ts'

/** `auto` uses the accelerator of the host where a test has shown that it works, and plain emulation elsewhere. */
export type Acceleration = 'auto' | 'tcg' | 'kvm' | 'hvf' | 'whpx'

export interface AccelerationTest {
  /**
   * Finds an accelerator that works for the architecture of the program. Tests each program once, and waits for the test
   * no longer than `patienceMs`.
   *
   * @returns `undefined` where none works, or where the test has not ended in time
   */
  find(program: string): Promise<string | undefined>
  /** Returns the result that is available now, and starts the test where it has not run. */
  known(program: string): string | undefined
  /** Ends the tests that still run. */
  close(): void
}

export interface AccelerationTestOptions {
  readonly environment: ProcessEnvironment
  /** Milliseconds that the machine of a test has to boot. @default 5000 */
  readonly timeoutMs?: number
  /** Milliseconds that the start of a machine waits for a test. @default 2000 */
  readonly maxWaitMs?: number
  /** Tests an accelerator. @default boots a machine with it */
  readonly runTest?: (options: BootOptions) => Promise<boolean>
}

const accelerators: Readonly<Partial<Record<NodeJS.Platform, string>>> = { linux: 'kvm', darwin: 'hvf', win32: 'whpx' }

/** Architectures that the processor of the host can accelerate, and for which a boot sector exists. */
export const hostArchitectures: readonly string[] = arch() === 'x64' ? ['x86_64', 'i386'] : []

/**
 * Tests each program once, by booting a small sector. A device file alone is not enough: on nested and paravirtual hosts
 * machines start, but then run a thousand times too slowly or stop at their first page table.
 */
export function createAccelerationTest(options: AccelerationTestOptions): AccelerationTest {
  const { environment, timeoutMs = 5000, maxWaitMs = 2000, runTest: works = boots } = options
  const tests = new Map<string, Promise<string | undefined>>()
  const working = new Map<string, string>()
  const closing = new AbortController()

  const runTest = async (program: string): Promise<string | undefined> => {
    const accelerator = accelerators[platform()]
    const architecture = architectureOf(program) ?? 'x86_64'
    if (accelerator === undefined || !hostArchitectures.includes(architecture)) return undefined
    if (!(await works({ program, accelerator, environment, timeoutMs, signal: closing.signal }))) return undefined
    working.set(program, accelerator)
    return accelerator
  }

  const begin = (program: string): Promise<string | undefined> => {
    let test = tests.get(program)
    if (test === undefined) {
      test = runTest(program)
      tests.set(program, test)
      test.catch(() => tests.delete(program))
    }
    return test
  }

  return {
    find: async (program) => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), maxWaitMs)
      })
      try {
        return await Promise.race([begin(program), late])
      } finally {
        clearTimeout(timer)
      }
    },
    known: (program) => {
      void begin(program).catch(() => undefined)
      return working.get(program)
    },
    close: () => closing.abort(),
  }
}

export interface BootOptions {
  readonly program: string
  readonly accelerator: string
  readonly environment: ProcessEnvironment
  readonly timeoutMs: number
  /** Ends the test early. */
  readonly signal: AbortSignal
}

/** Whether a machine with this accelerator prints {@link BOOT_SIGN} in time. */
export async function boots({ program, accelerator, ...options }: BootOptions): Promise<boolean> {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-proof-'))
  try {
    const sector = join(directory, 'sector')
    await writePlainFile(sector, bootSector())
    return await watchOutput({
      program,
      parameters: [
        ...['-accel', accelerator, '-m', '64', '-display', 'none', '-monitor', 'none', '-serial', 'stdio'],
        ...['-net', 'none', '-drive', `file=${sector.replaceAll(',', ',,')},format=raw,if=floppy`],
      ],
      sign: BOOT_SIGN,
      ...options,
    })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
