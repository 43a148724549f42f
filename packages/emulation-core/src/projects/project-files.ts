import type { CaptureSink } from '../captures/capture.ts'
import type { InstanceId } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import type { Project, ProjectId } from './project.ts'

/**
 * Keeps the directories of projects: `<id>/` in {@link ProjectFiles.location}, and `users/<digest>/<id>/` for users of the
 * host. Layout of each: `project-files/<kind>/<instance id>/` and `project-files/captures/` inside
 * the project's path. Neither a name nor a symbolic link leads out of its directory. Rejects with a `Refusal` where the
 * client can get the reason (a directory that cannot be created, a name that is not a plain name), and with a
 * `StoreFailure` where the disk cannot be written: full, read-only or broken.
 */
export interface ProjectFiles {
  /** The absolute path of the directory in which projects without a `path` are created. */
  readonly location: string
  /** Creates the directory, or uses an existing one, and sets or removes the marker of temporary projects. */
  openProject(project: ProjectDirectory): Promise<void>
  /** Copies files that `to` does not have from the old directory, and deletes the old one of a temporary project. */
  moveProject(from: ProjectDirectory, to: ProjectDirectory): Promise<void>
  /** Deletes the whole directory. No effect where it is absent. */
  removeProject(project: ProjectDirectory): Promise<void>
  /** Deletes every project's directory in {@link location} that has the marker of temporary projects. @returns how many */
  removeTemporary(): Promise<number>
  /** Finds the directories of an id in {@link location}, open or closed. @returns their absolute paths */
  findProjects(id: ProjectId): Promise<readonly string[]>

  /** Creates the instance's directory where it is missing. @returns its absolute path */
  openInstance(instance: InstanceDirectory): Promise<string>
  /** Returns the absolute path of the instance's directory, without creating it. */
  instancePath(instance: InstanceDirectory): string
  /** Deletes the instance's directory. No effect where it is absent. */
  removeInstance(instance: InstanceDirectory): Promise<void>
  /**
   * Copies the regular files of an instance to the directory of another, which must not exist. Logs and links are left out; owners and permissions stay, where the server may set them. Where
   * the file system can, the copies share their blocks with the originals. No effect where the original is absent.
   */
  copyInstance(from: InstanceDirectory, to: InstanceDirectory): Promise<void>
  /** Reads a text file; `undefined` where it is absent. Text after 1 MiB is cut off. Invalid UTF-8 is replaced. */
  readText(instance: InstanceDirectory, name: string): Promise<string | undefined>
  /** Whether a text file exists. */
  hasText(instance: InstanceDirectory, name: string): Promise<boolean>
  /** Replaces the file in one atomic step. Creates the directory where it is missing. */
  writeText(instance: InstanceDirectory, name: string, content: string): Promise<void>
  /** Deletes the file. No effect where it is absent. */
  removeText(instance: InstanceDirectory, name: string): Promise<void>

  /** Creates an empty capture file, or empties an existing one. */
  createCapture(project: ProjectDirectory, name: string): Promise<CaptureFile>
  /** Lists the capture files of a project. Empty where its directory of captures is absent. */
  captures(project: ProjectDirectory): Promise<readonly CaptureEntry[]>
  /**
   * Streams the bytes of a capture file; `undefined` where it is absent.
   *
   * @param options.follow continues with added bytes, until the signal aborts or the file is deleted
   */
  readCapture(
    project: ProjectDirectory,
    name: string,
    options: { readonly follow: boolean; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Deletes a capture file. @returns whether it existed */
  removeCapture(project: ProjectDirectory, name: string): Promise<boolean>
}

/** The fields of a project that its files use. */
export type ProjectDirectory = Pick<Project, 'id' | 'path' | 'temporary'>

/** Identifies the directory of one instance. */
export interface InstanceDirectory {
  readonly project: ProjectDirectory
  readonly kind: Kind
  readonly id: InstanceId
}

/** An open capture file. */
export interface CaptureFile extends CaptureSink {
  /** An absolute path. */
  readonly path: string
}

/** A capture file in a project's directory. */
export interface CaptureEntry {
  /** A plain name in the project's directory of captures. */
  readonly name: string
  /** The size of the file. It grows while a capture writes it. */
  readonly bytes: number
  /** The time of the last write. */
  readonly modifiedAt: Date
}
