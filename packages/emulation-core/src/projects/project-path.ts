import { err, ok, type Result } from 'neverthrow'
import type { Context } from '../context.ts'
import type { EmulationError } from '../emulation-error.ts'
import type { ProjectId } from './project.ts'
import type { ProjectRepository } from './project-repository.ts'

/** Longer ones are refused by most file systems. */
const PATH_LIMIT = 4096

/** Control characters, and the quote that breaks the configuration files of emulators. */
const forbidden = /[\p{Cc}"]/u

/** Whose word counts: only a server that is local to its clients lets them say where a project lies. */
export function projectPath(
  { localMode }: Pick<Context, 'localMode'>,
  current: string,
  wanted: string | undefined,
): Result<string, EmulationError> {
  const path = wanted === undefined ? current : wanted.replace(/(?<=.)\/+$/, '')
  if (path === current) return ok(current)
  if (!localMode) return err({ type: 'project-location-fixed' })
  return isSafePath(path) ? ok(path) : err({ type: 'project-path-invalid', path })
}

/** Absolute, with no step up and no file system's root. */
const isSafePath = (path: string): boolean =>
  /^(\/[^/]|[A-Za-z]:[\\/][^\\/])/.test(path) &&
  path.length <= PATH_LIMIT &&
  !forbidden.test(path) &&
  !path.split(/[\\/]/).some((step) => step === '..' || step === '.')

/** Whether a directory that a client chose would be deleted with another project's, or that one with it. */
export async function isPathTaken(projects: ProjectRepository, id: ProjectId, path: string): Promise<boolean> {
  const isWithin = (inner: string, outer: string) => inner === outer || inner.startsWith(`${outer}/`)
  const others = (await projects.list()).filter((project) => project.id !== id)
  return others.some((other) => isWithin(path, other.path) || isWithin(other.path, path))
}
