import { type DiskImageFormat, Refusal } from '@trivium/emulation-core/ports'
import { defaultProgramDirectories, findProgram } from '../processes/find-program.ts'
import { type ProcessEnvironment, plainEnvironment } from '../processes/process-environment.ts'
import { type RunResult, runProgram } from '../processes/run-program.ts'
import { describeDiskImage } from '../qemu/disk-image.ts'
import { parseRecord } from '../qemu/json-record.ts'

export interface ImageToolOptions {
  /** Directories of `qemu-img` and `prlimit`. @default the usual directories of a Linux system */
  readonly programDirectories?: readonly string[]
  /**
   * The environment of these programs. No variable of the server is passed on.
   *
   * @default PATH, HOME and an English locale
   */
  readonly environment?: ProcessEnvironment
}

/** What `qemu-img` reads in an image. */
export interface ImageInformation {
  readonly format: string
  readonly virtualBytes: number
  readonly backingFile: string | undefined
}

/** Calls of `qemu-img`, each with bounds on time, memory, CPU and output. All paths are absolute. */
export interface ImageTool {
  /**
   * Reads an image. Rejects where it is not one.
   *
   * @param format is not guessed; absent: it is, for files that the host has put there
   */
  read(path: string, format?: DiskImageFormat): Promise<ImageInformation>
  /** Rejects where the image is damaged or cut off, or refers to another file. */
  verify(path: string, format: DiskImageFormat): Promise<ImageInformation>
  create(path: string, format: DiskImageFormat, virtualBytes: number): Promise<void>
  resize(path: string, format: string, virtualBytes: number, shrink: boolean): Promise<void>
}

/** Headers with huge tables make `qemu-img` allocate them. */
const MEMORY_BYTES = 2 ** 30
const CPU_SECONDS = 120
const TIMEOUT_MS = 180_000
/** Exit codes of `qemu-img check`: 2 is corruption, 3 leaked clusters, and 63 a format without checks. */
const SOUND_CODES: ReadonlySet<number | undefined> = new Set([0, 3, 63])

export function imageTool({
  programDirectories = defaultProgramDirectories,
  environment = plainEnvironment(),
}: ImageToolOptions): ImageTool {
  const find = (program: string, debianPackage: string) =>
    findProgram({ program, directories: programDirectories, title: program, debianPackage })

  const run = async (...parameters: readonly string[]): Promise<RunResult> => {
    const program = await find('qemu-img', 'qemu-utils')
    const prlimit = await find('prlimit', 'util-linux')
    return runProgram({
      program: prlimit,
      parameters: [`--as=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}`, '--core=0', '--', program, ...parameters],
      environment,
      timeoutMs: TIMEOUT_MS,
    })
  }

  const require = async (parameters: readonly string[], refusal: (message: string) => Refusal): Promise<RunResult> => {
    const result = await run(...parameters)
    if (result.exitCode !== 0) throw refusal(lastLine(result.errorOutput))
    return result
  }

  const read = async (path: string, format?: DiskImageFormat): Promise<ImageInformation> => {
    const chosen = format === undefined ? [] : ['-f', format]
    // A running machine has a lock on images that it writes.
    const { output } = await require(['info', '--output=json', '-U', ...chosen, path], notAnImage)
    const image = describeDiskImage(path, output)
    const virtualBytes = parseRecord(output)?.['virtual-size']
    if (typeof virtualBytes !== 'number' || !Number.isSafeInteger(virtualBytes)) throw notAnImage('no size')
    if (format !== undefined && (image.backingFile !== undefined || image.parts.length > 0))
      throw new Refusal('not-allowed', 'The disk image refers to another file.')
    return { format: image.format, virtualBytes, backingFile: image.backingFile }
  }

  return {
    read,
    verify: async (path, format) => {
      const information = await read(path, format)
      const { exitCode, output, errorOutput } = await run('check', '-q', '-U', '-f', format, path)
      if (!SOUND_CODES.has(exitCode)) throw notAnImage(lastLine(errorOutput) || lastLine(output))
      return information
    },
    create: async (path, format, virtualBytes) => {
      // Without it the size is rounded to cylinders.
      const options = format === 'vpc' ? ['-o', 'force_size=on'] : []
      await require(['create', '-q', '-f', format, ...options, path, `${virtualBytes}`], (message) =>
        new Refusal('failed', `The disk could not be created: ${message}`))
    },
    resize: async (path, format, virtualBytes, shrink) => {
      const flags = shrink ? ['--shrink'] : []
      await require(['resize', '-q', '-f', format, ...flags, path, `${virtualBytes}`], (message) =>
        new Refusal('unsupported', `The disk could not be resized: ${message}`))
    },
  }
}

const notAnImage = (message: string) =>
  new Refusal('unusable-image', `The disk image is damaged or cut off: ${message.slice(0, 300)}`)

/** Messages name the path of the upload, which is not that of the image. */
const lastLine = (text: string): string =>
  (text.trim().split('\n').at(-1) ?? '').replaceAll(/'?\/[^\s']*'?:? ?/g, '').replace(/^qemu-img: /, '')
