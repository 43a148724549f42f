import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'

const run = promisify(execFile)

export interface PackedPackage {
  readonly tarball: string
  /** Bytes of the tarball, and of the files in it. */
  readonly packedBytes: number
  readonly unpackedBytes: number
}

const packed = v.object({ name: v.string(), filename: v.string(), size: v.number(), unpackedSize: v.number() })

/** Packs every package like `npm publish`. @returns the packed packages by their names */
export async function packPackages(
  names: readonly string[],
  destination: string,
): Promise<ReadonlyMap<string, PackedPackage>> {
  const workspaces = names.flatMap((name) => ['--workspace', name])
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--loglevel=error', '--pack-destination', destination, ...workspaces],
    {
      maxBuffer: 2 ** 26,
    },
  )
  // npm prints a list, or an object by name.
  const answer: unknown = JSON.parse(stdout)
  const list = v.parse(v.array(packed), Array.isArray(answer) ? answer : Object.values(Object(answer)))
  return new Map(
    list.map(({ name, filename, size, unpackedSize }) => [
      name,
      { tarball: join(destination, basename(filename)), packedBytes: size, unpackedBytes: unpackedSize },
    ]),
  )
}
