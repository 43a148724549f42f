import { filefrag } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** A run of bytes of a file, in bytes. */
export interface Extent {
  readonly offset: number
  readonly length: number
  /** Other files hold the same blocks. */
  readonly shared: boolean
}

const BLOCK_BYTES = 4096

/** The file's extents, after its dirty pages are written; holes are in none of them. */
export async function fileExtents(path: string, run: RunProgram): Promise<readonly Extent[]> {
  return parseExtents(await run(filefrag, ['-s', '-v', `-b${BLOCK_BYTES}`, path]))
}

/** What `filefrag -v -b4096` prints. */
export function parseExtents(output: string): readonly Extent[] {
  const lines = output.split('\n')
  const header = lines.findIndex((line) => /^ ext:\s+logical_offset:\s+physical_offset:\s+length:/.test(line))
  if (header < 0) {
    if (/: 0 extents found/.test(output)) return []
    throw new UnexpectedOutput('filefrag', lines[0] ?? '')
  }
  const end = lines.findIndex((line, index) => index > header && /: \d+ extents? found$/.test(line))
  if (end < 0) throw new UnexpectedOutput('filefrag', lines.at(-1) ?? '')
  return lines.slice(header + 1, end).map((line) => {
    const [, first, length, flags] =
      /^\s*\d+:\s+(\d+)\.\.\s*\d+:\s+\d+\.\.\s*\d+:\s+(\d+):\s+(?:\d+:\s*)?(\S*)\s*$/.exec(line) ?? []
    const [offset, blocks] = [bytes(first), bytes(length)]
    if (offset === undefined || blocks === undefined || flags === undefined)
      throw new UnexpectedOutput('filefrag', line)
    return { offset, length: blocks, shared: flags.split(',').includes('shared') }
  })
}

function bytes(blocks: string | undefined): number | undefined {
  const number = (wholeNumber(blocks) ?? Number.NaN) * BLOCK_BYTES
  return Number.isSafeInteger(number) ? number : undefined
}
