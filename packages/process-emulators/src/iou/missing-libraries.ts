import { Refusal } from '@trivium/emulation-core/ports'
import { isProgram } from '../processes/find-program.ts'
import type { ProcessEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'

const LDD = '/usr/bin/ldd'

/** The shared libraries that `ldd` did not find, from its output. */
export const missingLibraries = (output: string): readonly string[] =>
  [...output.matchAll(/^\s*(\S+)\s+=>\s+not found/gm)].map(([, name]) => name ?? '')

/** Rejects with a `Refusal` when the image needs shared libraries that the host lacks. Checks nothing without `ldd`. */
export async function requireLibraries(image: string, environment: ProcessEnvironment): Promise<void> {
  if (!(await isProgram(LDD))) return
  const { output } = await runProgram({ program: LDD, parameters: [image], environment, timeoutMs: 10_000 })
  const missing = missingLibraries(output)
  if (missing.length > 0) {
    throw new Refusal(
      'unusable-image',
      `The following shared library dependencies cannot be found for IOU image ${image}: ${missing.join(', ')}`,
    )
  }
}
