import type { CaptureSink } from '../captures/capture.ts'
import type { InstanceId } from '../instances/instance.ts'
import type { Kind } from '../kinds/kind.ts'
import type { Project } from './project.ts'

/**
 * The directories of projects. Layout: `project-files/<kind>/<instance id>/` and `project-files/captures/` inside the
 * project's path. No name leads out of its directory, and no symbolic link does either. Rejects with a `Refusal` for
 * what the client may be told (a directory that can't be made, a name that is no plain name), and with a `StoreFailure`
 * where nothing can be written: on a disk that is full, read-only or broken.
 */
export interface ProjectFiles {
  /** The directory in which projects are made unless they name a path. Absolute. */
  readonly location: string
  /** Makes the directory and sets or removes the marker of temporary projects. An existing directory is taken as it is. */
  openProject(project: ProjectDirectory): Promise<void>
  /** Copies what `to` lacks from the old directory; the old one goes if it was a temporary project's. */
  moveProject(from: ProjectDirectory, to: ProjectDirectory): Promise<void>
  /** Deletes the whole directory. Nothing happens where it is gone already. */
  removeProject(project: ProjectDirectory): Promise<void>
  /** Deletes every directory in {@link location} that has the marker of temporary projects. @returns how many */
  removeTemporary(): Promise<number>

  /** Makes the instance's directory where it is missing. @returns its absolute path */
  openInstance(instance: InstanceDirectory): Promise<string>
  /** The absolute path that {@link openInstance} would make. */
  instancePath(instance: InstanceDirectory): string
  removeInstance(instance: InstanceDirectory): Promise<void>
  /** `undefined` when absent. At most 1 MiB; what is longer is cut. Bytes that are no UTF-8 are replaced. */
  readText(instance: InstanceDirectory, name: string): Promise<string | undefined>
  hasText(instance: InstanceDirectory, name: string): Promise<boolean>
  /** Replaces the file in one step, making the directory where it is missing. */
  writeText(instance: InstanceDirectory, name: string, content: string): Promise<void>
  /** Nothing happens where it is absent. */
  removeText(instance: InstanceDirectory, name: string): Promise<void>

  /** Starts the file anew. */
  createCapture(project: ProjectDirectory, name: string): Promise<CaptureFile>
  captures(project: ProjectDirectory): Promise<readonly CaptureEntry[]>
  /**
   * The file's bytes; `undefined` when absent.
   *
   * @param options.follow goes on with what is added, until the signal aborts or the file is gone
   */
  readCapture(
    project: ProjectDirectory,
    name: string,
    options: { readonly follow: boolean; readonly signal: AbortSignal },
  ): Promise<AsyncIterable<Uint8Array> | undefined>
  /** @returns whether it was there */
  removeCapture(project: ProjectDirectory, name: string): Promise<boolean>
}

/** What the files of a project need to know of it. */
export type ProjectDirectory = Pick<Project, 'id' | 'path' | 'temporary'>

/** Names the directory of one instance. */
export interface InstanceDirectory {
  readonly project: ProjectDirectory
  readonly kind: Kind
  readonly id: InstanceId
}

/** An open capture file. */
export interface CaptureFile extends CaptureSink {
  /** Absolute. */
  readonly path: string
}

/** A capture file in a project's directory. */
export interface CaptureEntry {
  readonly name: string
  readonly bytes: number
  readonly modifiedAt: Date
}
