import { type CaptureFilters, type FilterInstruction, type FilterProgram, Refusal } from '@trivium/emulation-core/ports'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { plainEnvironment } from '../processes/process-environment.ts'
import { runProgram } from '../processes/run-program.ts'
import { findName } from './filter-words.ts'

/** The program that compiles filters. */
export interface TcpdumpFiltersOptions {
  /** The program: a name or an absolute path. @default 'tcpdump' */
  readonly program?: string
  /** Directories in which programs are searched. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
}

const TIMEOUT_MS = 5000

/**
 * Compiles capture filters by `tcpdump` of Debian, which captures nothing for that and needs no privileges. Names of
 * hosts, networks and services are refused, because libpcap would look them up.
 *
 * @example
 * ```ts
 * import { tcpdumpFilters } from '@trivium/process-emulators/tcpdump'
 *
 * // For `createEmulation`.
 * export const captureFilters = tcpdumpFilters()
 * ```
 */
export const tcpdumpFilters = ({
  program = 'tcpdump',
  programDirectories = defaultProgramDirectories,
}: TcpdumpFiltersOptions = {}): CaptureFilters => ({
  async compile(expression, dataLinkType) {
    const name = findName(expression)
    if (name !== undefined) throw wrongFilter(`'${name}' is neither a word of pcap-filter, a number nor an address`)
    const path = await findProgram({
      program,
      directories: programDirectories,
      title: 'tcpdump',
      debianPackage: 'tcpdump',
    })
    const { exitCode, output, errorOutput } = await runProgram({
      program: path,
      // The expression is one argument after the end of the options.
      parameters: ['-n', '-ddd', '-y', dataLinkType.replace(/^DLT_/, ''), '--', expression],
      environment: plainEnvironment(),
      timeoutMs: TIMEOUT_MS,
    })
    if (exitCode !== 0) throw wrongFilter(reasonOf(errorOutput))
    return readProgram(output)
  },
})

const wrongFilter = (reason: string) => new Refusal('not-allowed', `The filter cannot be used: ${reason}.`)

const reasonOf = (errorOutput: string): string =>
  (errorOutput.trim().split('\n').at(-1) ?? '')
    .replace(/^tcpdump: /, '')
    .replace(/\.$/, '')
    .slice(0, 200)

function readProgram(output: string): FilterProgram {
  const [count, ...lines] = output.trim().split('\n')
  const program = lines.map((line): FilterInstruction => {
    const [code = Number.NaN, jt = Number.NaN, jf = Number.NaN, k = Number.NaN] = line.split(' ').map(Number)
    return { code, jt, jf, k }
  })
  const isComplete =
    Number(count) === program.length && program.every((one) => Object.values(one).every(Number.isSafeInteger))
  if (!isComplete) throw new Refusal('failed', 'tcpdump has printed no program for the filter.')
  return program
}
