import { readFile } from 'node:fs/promises'
import { UnexpectedOutput } from '../programs/unexpected-output.ts'

export interface Mount {
  readonly mountPoint: string
  readonly fileSystem: string
  /** The mounted device, for most file systems. */
  readonly source: string
  readonly options: ReadonlySet<string>
}

/** Parses `/proc/self/mountinfo`. The format is in `proc_pid_mountinfo(5)`. */
export function parseMountInfo(text: string): readonly Mount[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [left = '', right = ''] = line.split(' - ')
      const [, , , , mountPoint, mountOptions] = left.split(' ')
      const [fileSystem, source, superOptions] = right.split(' ')
      if (!mountPoint || !mountOptions || !fileSystem || !source) throw new UnexpectedOutput('mountinfo', line)
      return {
        mountPoint: decodeOctal(mountPoint),
        fileSystem,
        source: decodeOctal(source),
        options: new Set([...mountOptions.split(','), ...(superOptions ?? '').split(',')].filter(Boolean)),
      }
    })
}

/** Finds the mount of a path: the one with the longest mount point that contains it, and the last of equal ones. */
export function mountOf(mounts: readonly Mount[], path: string): Mount | undefined {
  const length = ({ mountPoint }: Mount): number => mountPoint.length
  return mounts
    .filter(({ mountPoint }) => path === mountPoint || path.startsWith(mountPoint === '/' ? '/' : `${mountPoint}/`))
    .reduce<Mount | undefined>((best, mount) => (best && length(best) > length(mount) ? best : mount), undefined)
}

/** Finds the mount of a path in the list of the kernel. */
export const findMount = async (path: string): Promise<Mount | undefined> =>
  mountOf(parseMountInfo(await readFile('/proc/self/mountinfo', 'utf8')), path)

const decodeOctal = (field: string): string =>
  field.replace(/\\([0-7]{3})/g, (_match, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
