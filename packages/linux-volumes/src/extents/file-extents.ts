import { filefrag } from '../programs/programs.ts'
import type { RunProgram } from '../programs/run-program.ts'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'
import { wholeNumber } from '../programs/whole-number.ts'

/** A run of bytes of a file. Offset and length are in bytes. */
export interface Extent {
  readonly offset: number
  readonly length: number
  /** Whether other files use the same blocks. */
  readonly shared: boolean
}

const BLOCK_BYTES = 4096

/** Reads a file's extents, after its dirty pages are written. Holes are in none of them. */
export async function fileExtents(path: string, run: RunProgram): Promise<readonly Extent[]> {
  const reader = extentReader()
  await run(filefrag, ['-s', '-v', `-b${BLOCK_BYTES}`, path], { onLine: reader.read })
  return reader.end()
}

/** Parses the output of `filefrag -v -b4096` line by line, since a file can have millions of extents. */
export function extentReader(): { readonly read: (line: string) => void; readonly end: () => readonly Extent[] } {
  const extents: Extent[] = []
  let state: 'before' | 'within' | 'empty' | 'ended' = 'before'
  let latest = ''
  return {
    read: (line) => {
      latest = line
      if (state === 'before' && /: 0 extents found/.test(line)) state = 'empty'
      else if (/^ ext:\s+logical_offset:\s+physical_offset:\s+length:/.test(line) && state === 'before')
        state = 'within'
      else if (state === 'within' && /: \d+ extents? found$/.test(line)) state = 'ended'
      else if (state === 'within') extents.push(parseExtent(line))
    },
    end: () => {
      if (state === 'before' || state === 'within') throw new UnexpectedOutput('filefrag', latest)
      return extents
    },
  }
}

function parseExtent(line: string): Extent {
  const [, first, length, flags] =
    /^\s*\d+:\s+(\d+)\.\.\s*\d+:\s+\d+\.\.\s*\d+:\s+(\d+):\s+(?:\d+:\s*)?(\S*)\s*$/.exec(line) ?? []
  const [offset, blocks] = [bytes(first), bytes(length)]
  if (offset === undefined || blocks === undefined || flags === undefined) throw new UnexpectedOutput('filefrag', line)
  return { offset, length: blocks, shared: flags.split(',').includes('shared') }
}

function bytes(blocks: string | undefined): number | undefined {
  const number = (wholeNumber(blocks) ?? Number.NaN) * BLOCK_BYTES
  return Number.isSafeInteger(number) ? number : undefined
}
