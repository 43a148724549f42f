import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { ProjectId } from './project.ts'

// Most file systems refuse longer paths.
const PATH_LIMIT = 4096

/** Control characters, and the quote that breaks the configuration files of emulators. */
const FORBIDDEN = /[\p{Cc}"]/u

/**
 * Chooses the directory of a project. Only in local mode can clients choose it, and never a directory that contains
 * those of all projects.
 */
export function projectPath(
  { localMode, files }: Pick<Context, 'localMode' | 'files'>,
  current: string,
  requested: string | undefined,
): Result<string, EmulationError> {
  const path = requested === undefined ? current : normalisePath(requested)
  if (path === current) return ok(current)
  if (!localMode) return err({ type: 'project-location-fixed' })
  return isSafePath(path) && !isWithin(files.location, path) ? ok(path) : err({ type: 'project-path-invalid', path })
}

/** Replaces several slashes by one, and removes slashes at the end. */
const normalisePath = (path: string): string => path.replace(/(?<=[^/])\/{2,}/g, '/').replace(/(?<=.)\/+$/, '')

/** Whether a path is absolute, without `.` and `..` steps, and not the root of a file system. */
const isSafePath = (path: string): boolean =>
  /^(\/[^/]|[A-Za-z]:[\\/][^\\/])/.test(path) &&
  path.length <= PATH_LIMIT &&
  !FORBIDDEN.test(path) &&
  !path.split(/[\\/]/).some((step) => step === '..' || step === '.')

export const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`)

/** Runs a task that sets a project's directory. In local mode, such tasks run one after the other. */
export const withPathLock = <T>(
  { localMode, projectLocks }: Pick<Context, 'localMode' | 'projectLocks'>,
  task: () => Promise<T>,
): Promise<T> => (localMode ? projectLocks.exclusive('paths', task) : task())

/** Whether a directory is inside another project's or contains it. That is only possible in local mode. */
export async function isPathTaken(
  { localMode, repositories: { projects } }: Pick<Context, 'localMode' | 'repositories'>,
  id: ProjectId,
  path: string,
): Promise<boolean> {
  if (!localMode) return false
  const others = (await projects.list()).filter((project) => project.id !== id)
  return others.some((other) => isWithin(path, other.path) || isWithin(other.path, path))
}
