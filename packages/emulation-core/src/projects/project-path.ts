import { err, ok, type Result } from 'neverthrow'
import { MAX_PATH } from '../bounds.ts'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { Project, ProjectId } from './project.ts'

/** Control characters, and the quote that breaks the configuration files of emulators. */
const FORBIDDEN = /[\p{Cc}"]/u

/**
 * Chooses the directory of a project. Only in local mode can clients choose it, not for the project of a user, and never
 * a directory that contains those of all projects.
 */
export function projectPath(
  { localMode, files }: Pick<Context, 'localMode' | 'files'>,
  { ownerId, path: current }: Pick<Project, 'path'> & { readonly ownerId?: string | undefined },
  requested: string | undefined,
): Result<string, EmulationError> {
  const path = requested === undefined ? current : normalisePath(requested)
  if (path === current) return ok(current)
  if (!localMode || ownerId !== undefined) return err({ type: 'project-location-fixed' })
  const users = usersDirectory(files)
  const isShared = isWithin(files.location, path) || isWithin(users, path) || isWithin(path, users)
  return isSafePath(path) && !isShared ? ok(path) : err({ type: 'project-path-invalid', path })
}

/** The directory of the projects of users of the host, each in one of its own. */
export const usersDirectory = ({ location }: Pick<Context['files'], 'location'>): string => `${location}/users`

/** Replaces several slashes by one, and removes slashes at the end. */
const normalisePath = (path: string): string => path.replace(/(?<=[^/])\/{2,}/g, '/').replace(/(?<=.)\/+$/, '')

/** Whether a path is absolute, without `.` and `..` steps, and not the root of a file system. */
const isSafePath = (path: string): boolean =>
  /^(\/[^/]|[A-Za-z]:[\\/][^\\/])/.test(path) &&
  path.length <= MAX_PATH &&
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
