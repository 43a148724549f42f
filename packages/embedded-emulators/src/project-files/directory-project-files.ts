import { access, readdir, realpath, rm, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { StoreFailure } from '@trivium/emulation-core'
import {
  type InstanceDirectory,
  isLogName,
  type ProjectDirectory,
  type ProjectFiles,
  Refusal,
} from '@trivium/emulation-core/ports'
import { createCaptureFile } from './capture-file.ts'
import { readCaptureFile } from './capture-reader.ts'
import { copyTree } from './copy-tree.ts'
import { diskFailure, onDisk } from './disk-failure.ts'
import { makeDirectories, openPrivate } from './private-files.ts'
import { removeTree } from './remove-tree.ts'
import { lstatOrUndefined, requirePlainName, requireSingleName } from './safe-path.ts'
import { hasFile, readTextFile, writeTextFile } from './text-file.ts'
import { withDirectory } from './with-directory.ts'

/** Options of `openDirectoryProjectFiles`: the directory, and whether written texts survive a power failure. */
export interface DirectoryProjectFilesOptions {
  /** The directory of new projects, absolute or in the working directory. Created where it is missing. */
  readonly location: string
  /**
   * What a written text survives: the end of the process, or also a power failure (one more disk flush for each text).
   * Captures and files of emulators are never flushed. @default 'process'
   */
  readonly durability?: 'process' | 'power'
}

const MARKER = '.trivium-temporary'
const FILES = 'project-files'
const CAPTURES = 'captures'
const USERS = 'users'

function isInside(path: string, directory: string): boolean {
  const innerPath = relative(directory, path)
  return innerPath === '' || (innerPath !== '..' && !innerPath.startsWith(`..${sep}`) && !isAbsolute(innerPath))
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Empty where the directory is absent. Symbolic links are left out. */
async function directoriesIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error) => {
    if (errorCodeOf(error) === 'ENOENT') return []
    throw error
  })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name))
}

const errorCodeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

/**
 * Stores the projects of one host as plain directories. Follows no symbolic link inside them. Only the user of the
 * server can read what it creates. Rejects where the location cannot be created.
 *
 * @example
 * ```ts
 * import { openDirectoryProjectFiles } from '@trivium/embedded-emulators'
 *
 * const files = await openDirectoryProjectFiles({ location: 'projects', durability: 'power' })
 * console.log(files.location) // its absolute path
 * ```
 */
export async function openDirectoryProjectFiles(options: DirectoryProjectFilesOptions): Promise<ProjectFiles> {
  const { durability = 'process' } = options
  makeDirectories(options.location)
  const location = await realpath(options.location)
  const changes = new Map<string, Set<() => void>>()
  /** The directories that contain those of projects. */
  const homes = async () => [location, ...(await directoriesIn(join(location, USERS)))]

  const watch = (path: string) => (changed: () => void) => {
    const watchers = changes.get(path) ?? new Set()
    changes.set(path, watchers.add(changed))
    return () => {
      watchers.delete(changed)
      if (watchers.size === 0) changes.delete(path)
    }
  }

  const notifyWatchers = (path: string) => () => {
    for (const changed of changes.get(path) ?? []) changed()
  }

  const setMarker = async ({ path, temporary }: ProjectDirectory) => {
    if (temporary) await (await openPrivate(join(path, MARKER), 'a')).close()
    else await rm(join(path, MARKER), { force: true })
  }

  const openProject = async (project: ProjectDirectory) => {
    try {
      makeDirectories(project.path)
      await setMarker(project)
    } catch (error) {
      const failure = diskFailure(error)
      if (StoreFailure.is(failure)) throw failure
      throw new Refusal('unavailable', `Could not create project directory '${project.path}' (${errorCodeOf(error)})`, {
        cause: error,
      })
    }
  }

  /** Refuses a directory that contains more than the project. */
  const removeDirectory = async (path: string) => {
    if (isInside(location, resolve(path)))
      throw new Refusal('not-allowed', `'${path}' is not the directory of one project.`)
    await onDisk(() => removeTree(dirname(resolve(path)), basename(resolve(path))))
  }

  const instanceParts = ({ kind, id }: InstanceDirectory) => [FILES, kind, id] as const
  const instancePath = (instance: InstanceDirectory) => join(instance.project.path, ...instanceParts(instance))
  const instanceDirectoryPath = (instance: InstanceDirectory) => ({
    base: instance.project.path,
    parts: instanceParts(instance),
  })

  /** Removes the directory of an instance if it is empty. */
  const removeEmpty = async (instance: InstanceDirectory) => {
    const parts = instanceParts(instance).slice(0, -1)
    await withDirectory({ base: instance.project.path, parts }, (held) => rmdir(join(held, instance.id))).catch(
      () => {},
    )
  }

  /** Looks for the file first, as most instances have none. */
  const withText = async <T>(instance: InstanceDirectory, name: string, use: (directory: string) => Promise<T>) => {
    requirePlainName(name)
    if ((await lstatOrUndefined(join(instancePath(instance), name))) === undefined) return undefined
    return withDirectory(instanceDirectoryPath(instance), use)
  }

  const capturesOf = (project: ProjectDirectory) => join(project.path, FILES, CAPTURES)
  const captureDirectoryPath = (project: ProjectDirectory) => ({ base: project.path, parts: [FILES, CAPTURES] })

  return {
    location,
    openProject,

    async moveProject(from, to) {
      if (resolve(from.path) === resolve(to.path)) return openProject(to)
      await openProject(to)
      try {
        await copyTree(from.path, to.path, { exclude: (name) => name === MARKER })
      } catch (error) {
        const failure = diskFailure(error)
        if (StoreFailure.is(failure)) throw failure
        throw new Refusal('unavailable', `Could not move the project to '${to.path}' (${errorCodeOf(error)}).`, {
          cause: error,
        })
      }
      if (from.temporary) await removeDirectory(from.path)
    },

    removeProject: (project) => removeDirectory(project.path),

    async removeTemporary() {
      let removed = 0
      for (const home of await homes()) {
        for (const path of await directoriesIn(home)) {
          if (!(await exists(join(path, MARKER)))) continue
          await removeDirectory(path)
          removed += 1
        }
      }
      return removed
    },

    async findProjects(id) {
      requireSingleName(id)
      const paths = (await homes()).map((home) => join(home, id))
      const found = await Promise.all(paths.map(exists))
      return paths.filter((_, index) => found[index])
    },

    async openInstance(instance) {
      await withDirectory({ ...instanceDirectoryPath(instance), make: true }, async () => {})
      return instancePath(instance)
    },

    instancePath,

    async removeInstance(instance) {
      const [directory, kind, id] = instanceParts(instance)
      requireSingleName(id)
      await withDirectory({ base: instance.project.path, parts: [directory, kind] }, (held) => removeTree(held, id))
    },

    async copyInstance(from, to) {
      const { parts } = instanceDirectoryPath(to)
      await withDirectory(instanceDirectoryPath(from), (source) =>
        onDisk(() =>
          withDirectory({ base: to.project.path, parts, make: true }, (target) =>
            copyTree(source, target, { exclude: isLogName, keepOwners: true }),
          ),
        ),
      )
    },

    readText: (instance, name) => withText(instance, name, (held) => readTextFile(held, name)),

    async hasText(instance, name) {
      return (await withText(instance, name, (held) => hasFile(held, name))) ?? false
    },

    async writeText(instance, name, content) {
      requirePlainName(name)
      try {
        await withDirectory({ ...instanceDirectoryPath(instance), make: true }, (held) =>
          writeTextFile(held, name, content, durability),
        )
      } catch (error) {
        await removeEmpty(instance)
        throw error
      }
    },

    async removeText(instance, name) {
      await withText(instance, name, async (held) => {
        if (await hasFile(held, name)) await unlink(join(held, name))
      })
    },

    async createCapture(project, name) {
      requirePlainName(name)
      const path = join(capturesOf(project), name)
      const capture = await withDirectory({ ...captureDirectoryPath(project), make: true }, (held) =>
        createCaptureFile({ directory: held, name, path, written: notifyWatchers(path) }),
      )
      if (capture === undefined) throw new Refusal('unavailable', `The capture file '${path}' could not be created.`)
      return capture
    },

    async captures(project) {
      const entries = await withDirectory(captureDirectoryPath(project), async (held) =>
        Promise.all(
          (await readdir(held)).map(async (name) => {
            const entry = await lstatOrUndefined(join(held, name))
            return entry?.isFile() === true ? [{ name, bytes: entry.size, modifiedAt: entry.mtime }] : []
          }),
        ),
      )
      return (entries ?? []).flat().sort((one, other) => (one.name < other.name ? -1 : 1))
    },

    async readCapture(project, name, { follow, signal }) {
      requirePlainName(name)
      const innerPath = captureDirectoryPath(project)
      return readCaptureFile(innerPath, name, { follow, signal, watch: watch(join(capturesOf(project), name)) })
    },

    async removeCapture(project, name) {
      requirePlainName(name)
      const removed = await withDirectory(captureDirectoryPath(project), async (held) => {
        if (!(await hasFile(held, name))) return false
        await unlink(join(held, name))
        return true
      })
      if (removed === true) notifyWatchers(join(capturesOf(project), name))()
      return removed ?? false
    },
  }
}
