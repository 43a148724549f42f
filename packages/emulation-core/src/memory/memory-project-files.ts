import { isLogName } from '../projects/log-name.ts'
import { isPlainName } from '../projects/plain-name.ts'
import type { InstanceDirectory, ProjectDirectory, ProjectFiles } from '../projects/project-files.ts'
import { Refusal } from '../refusal.ts'
import { createMemoryFile, type MemoryFile } from './memory-file.ts'

/** The location and the clock of project files in memory. */
export interface MemoryProjectFilesOptions {
  /** Prefix of all paths. No file is written there. @default '/projects' */
  readonly location?: string
  /** The clock of modification times. @default the system's clock */
  readonly now?: () => Date
}

interface Directory {
  temporary: boolean
  /** Files by their path inside the project. */
  readonly files: Map<string, MemoryFile>
}

const TEXT_LIMIT = 2 ** 20
const CAPTURES = 'project-files/captures'

/** Stores the files of projects in memory, for hosts and tests that start no emulator processes. */
export function memoryProjectFiles({
  location = '/projects',
  now = () => new Date(),
}: MemoryProjectFilesOptions = {}): ProjectFiles {
  const directories = new Map<string, Directory>()

  const open = ({ path }: ProjectDirectory): Directory => {
    const found = directories.get(path)
    if (found) return found
    const directory: Directory = { temporary: false, files: new Map() }
    directories.set(path, directory)
    return directory
  }

  const find = ({ path }: ProjectDirectory, file: string) => directories.get(path)?.files.get(file)

  const instanceDirectory = ({ kind, id }: InstanceDirectory) => `project-files/${kind}/${id}`

  return {
    location,
    openProject: async (project) => {
      open(project).temporary = project.temporary
    },
    moveProject: async (from, to) => {
      const [source, target] = [directories.get(from.path), open(to)]
      for (const [path, file] of source?.files ?? []) {
        if (!target.files.has(path)) target.files.set(path, createMemoryFile(now, file.bytes()))
      }
      if (source?.temporary) directories.delete(from.path)
      target.temporary = to.temporary
    },
    removeProject: async ({ path }) => {
      for (const file of directories.get(path)?.files.values() ?? []) file.remove()
      directories.delete(path)
    },
    removeTemporary: async () => {
      const marked = [...directories].filter(([path, { temporary }]) => temporary && path.startsWith(`${location}/`))
      for (const [path] of marked) directories.delete(path)
      return marked.length
    },

    findProjects: async (id) =>
      [...directories.keys()].filter((path) => path.startsWith(`${location}/`) && path.endsWith(`/${id}`)),

    openInstance: async (instance) => `${instance.project.path}/${instanceDirectory(instance)}`,
    instancePath: (instance) => `${instance.project.path}/${instanceDirectory(instance)}`,
    removeInstance: async (instance) => {
      const files = directories.get(instance.project.path)?.files
      for (const path of [...(files?.keys() ?? [])])
        if (path.startsWith(`${instanceDirectory(instance)}/`)) files?.delete(path)
    },
    copyInstance: async (from, to) => {
      const [source, target] = [instanceDirectory(from), instanceDirectory(to)]
      for (const [path, file] of directories.get(from.project.path)?.files ?? []) {
        const name = path.slice(source.length + 1)
        if (!path.startsWith(`${source}/`) || isLogName(name)) continue
        open(to.project).files.set(`${target}/${name}`, createMemoryFile(now, file.bytes()))
      }
    },
    readText: async (instance, name) => {
      const file = find(instance.project, `${instanceDirectory(instance)}/${plainName(name)}`)
      return file && new TextDecoder().decode(file.bytes().subarray(0, TEXT_LIMIT))
    },
    hasText: async (instance, name) =>
      find(instance.project, `${instanceDirectory(instance)}/${plainName(name)}`) !== undefined,
    writeText: async (instance, name, content) => {
      const file = createMemoryFile(now, new TextEncoder().encode(content))
      open(instance.project).files.set(`${instanceDirectory(instance)}/${plainName(name)}`, file)
    },
    removeText: async (instance, name) => {
      directories.get(instance.project.path)?.files.delete(`${instanceDirectory(instance)}/${plainName(name)}`)
    },

    createCapture: async (project, name) => {
      const file = createMemoryFile(now)
      const { files } = open(project)
      files.get(`${CAPTURES}/${plainName(name)}`)?.remove()
      files.set(`${CAPTURES}/${name}`, file)
      return {
        path: `${project.path}/${CAPTURES}/${name}`,
        write: (bytes) => file.append(bytes),
        bufferedBytes: 0,
        close: async () => {},
      }
    },
    captures: async ({ path }) =>
      [...(directories.get(path)?.files ?? [])]
        .filter(([name]) => name.startsWith(`${CAPTURES}/`))
        .map(([name, file]) => ({
          name: name.slice(CAPTURES.length + 1),
          bytes: file.length(),
          modifiedAt: file.modifiedAt(),
        })),
    readCapture: async (project, name, options) => find(project, `${CAPTURES}/${plainName(name)}`)?.read(options),
    removeCapture: async (project, name) => {
      find(project, `${CAPTURES}/${plainName(name)}`)?.remove()
      return directories.get(project.path)?.files.delete(`${CAPTURES}/${name}`) ?? false
    },
  }
}

function plainName(name: string): string {
  if (!isPlainName(name)) throw new Refusal('not-allowed', `'${name}' is not a plain file name`)
  return name
}
