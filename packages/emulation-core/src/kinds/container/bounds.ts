import * as v from 'valibot'
import { type Bounds, lineWithin, nonEmptyLineWithin, portSchema, wholeWithin, within } from '../../bounds.ts'
import { containerConsoleTypes } from './settings.ts'

/** The bounds of the numbers of a container. */
export const containerBounds = {
  adapters: [1, 32],
  memoryMegabytes: [6, 1_048_576],
  cpus: [0.01, 256],
} as const satisfies Readonly<Record<string, Bounds>>

/** The most characters of the name of an image. */
export const MAX_IMAGE = 255

/** The most characters of a command, and of a variable with its name. */
export const MAX_CONTAINER_LINE = 4096

export const MAX_VARIABLES = 64

export const MAX_VOLUMES = 16

/** The most characters of a path in a container. */
export const MAX_CONTAINER_PATH = 255

/** The most bytes of the name of a file that is put into a container. */
const MAX_FILE_NAME = 99

/** Directories that the kernel fills, and the root. */
const systemPaths = ['', '/proc', '/sys', '/dev']

/** Accepts `NAME=value`. */
export const isVariable = (text: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*=/.test(text)

export const variableName = (text: string): string => text.slice(0, text.indexOf('='))

/** Accepts an absolute path of plain characters, without empty, `.` and `..` steps, outside of `/proc`, `/sys` and `/dev`. */
export const isContainerPath = (path: string): boolean =>
  /^(\/(?!\.{1,2}(\/|$))[\w.@+-]+)+$/.test(path) &&
  !systemPaths.some((system) => path === system || (system !== '' && path.startsWith(`${system}/`)))

/** Accepts a path whose last step can be the name of a file that is put there. */
export const isConfigPath = (path: string): boolean =>
  path === '' || (isContainerPath(path) && path.length - path.lastIndexOf('/') - 1 <= MAX_FILE_NAME)

export const isDistinct = (items: readonly string[]): boolean => new Set(items).size === items.length

/** What a host can set of a container. */
export const containerSettings = v.object({
  image: v.optional(nonEmptyLineWithin(MAX_IMAGE)),
  console: v.optional(portSchema),
  consoleType: v.optional(v.picklist(containerConsoleTypes)),
  consoleCommand: v.optional(nonEmptyLineWithin(MAX_CONTAINER_LINE)),
  startCommand: v.optional(lineWithin(MAX_CONTAINER_LINE)),
  environment: v.optional(
    v.pipe(
      v.array(v.pipe(lineWithin(MAX_CONTAINER_LINE), v.check(isVariable, 'must be NAME=value'))),
      v.maxLength(MAX_VARIABLES, `must have at most ${MAX_VARIABLES} items`),
      v.check((items) => isDistinct(items.map(variableName)), 'must have each name once'),
    ),
  ),
  adapters: v.optional(wholeWithin(...containerBounds.adapters)),
  memoryMegabytes: v.optional(wholeWithin(...containerBounds.memoryMegabytes)),
  cpus: v.optional(within(...containerBounds.cpus)),
  volumes: v.optional(
    v.pipe(
      v.array(
        v.pipe(lineWithin(MAX_CONTAINER_PATH), v.check(isContainerPath, 'must be an absolute path in the container')),
      ),
      v.maxLength(MAX_VOLUMES, `must have at most ${MAX_VOLUMES} items`),
      v.check((paths) => isDistinct(paths), 'must have each path once'),
    ),
  ),
  startupConfigPath: v.optional(
    v.pipe(lineWithin(MAX_CONTAINER_PATH), v.check(isConfigPath, 'must be an absolute path in the container')),
  ),
})
