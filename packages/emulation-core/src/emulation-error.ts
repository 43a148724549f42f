import type { DiskImageUser } from './disk-images/disk-image-user.ts'
import type { DrawingId } from './drawings/drawing.ts'
import type { InstanceId } from './instances/instance.ts'
import type { TextTooLong } from './instances/instance-text.ts'
import type { Kind } from './kinds/kind.ts'
import type { NicAddress } from './links/nic-address.ts'
import type { NioType } from './links/nio.ts'
import type { PortUse } from './ports/port-allocator.ts'
import type { ProjectId } from './projects/project.ts'
import type { RefusalReason } from './refusal.ts'

/** The expected errors of all operations, by `type`. Faults and failures of the store are rejections instead. */
export type EmulationError = ProjectError | InstanceError | NicError | DrawingError | DiskImageError | ServerError

type ProjectError =
  | { readonly type: 'project-not-found'; readonly projectId: ProjectId }
  | { readonly type: 'project-exists'; readonly projectId: ProjectId }
  /** The server is not in local mode, so clients cannot choose the directory of a project. */
  | { readonly type: 'project-location-fixed' }
  | { readonly type: 'project-path-invalid'; readonly path: string }
  /** The directory of another open project is the same, is inside it, or contains it. */
  | { readonly type: 'project-path-taken'; readonly path: string }
  /** It is only stored: it has to be opened first. */
  | { readonly type: 'project-closed'; readonly projectId: ProjectId }
  /** It must not be changed. */
  | { readonly type: 'project-locked'; readonly projectId: ProjectId }
  /** It is put away, and cannot be opened. */
  | { readonly type: 'project-archived'; readonly projectId: ProjectId }
  /** An instance or a capture of the project runs, so its directory cannot be moved or copied. */
  | { readonly type: 'project-busy'; readonly projectId: ProjectId }

type InstanceError =
  | { readonly type: 'instance-not-found'; readonly kind: Kind; readonly id: InstanceId }
  /** No instance of any kind has the id in the project. */
  | { readonly type: 'node-not-found'; readonly id: InstanceId }
  | {
      readonly type: 'instance-elsewhere'
      readonly kind: Kind
      readonly name: string
      readonly projectId: ProjectId
    }
  /** An instance of another kind or project has the id. */
  | { readonly type: 'instance-id-taken'; readonly id: InstanceId }
  /** Another process changed the instance in the same store first. */
  | { readonly type: 'instance-conflict'; readonly id: InstanceId }
  | { readonly type: 'instance-not-started'; readonly kind: Kind; readonly name: string }
  /** The emulator of this instance does not support the action. */
  | { readonly type: 'action-unsupported'; readonly kind: Kind; readonly name: string; readonly action: string }
  /** A setting that is chosen at the creation was changed. */
  | { readonly type: 'setting-fixed'; readonly kind: Kind; readonly name: string; readonly setting: string }
  /** A hub has no VLANs and no MAC table. */
  | { readonly type: 'hub-without-settings' }
  | TextTooLong
  | { readonly type: 'console-absent'; readonly kind: Kind; readonly name: string }
  /** Another command runs on the console. */
  | { readonly type: 'console-busy'; readonly kind: Kind; readonly name: string }
  /** The console shows no prompt at which a command can be typed. `shown` is its last line, at most 80 characters of it. */
  | { readonly type: 'prompt-absent'; readonly kind: Kind; readonly name: string; readonly shown: string }
  /** The instance runs without a display for VNC. */
  | { readonly type: 'display-absent'; readonly kind: Kind; readonly name: string }

type NicError =
  | { readonly type: 'adapter-not-found'; readonly kind: Kind; readonly name: string; readonly nic: NicAddress }
  | { readonly type: 'port-not-found'; readonly kind: Kind; readonly name: string; readonly nic: NicAddress }
  | { readonly type: 'nic-not-connected'; readonly kind: Kind; readonly name: string; readonly nic: NicAddress }
  | { readonly type: 'nic-connected'; readonly kind: Kind; readonly name: string; readonly nic: NicAddress }
  | { readonly type: 'nio-unsupported'; readonly kind: Kind; readonly nioType: NioType }
  | { readonly type: 'capture-active'; readonly nic: NicAddress }
  | { readonly type: 'capture-not-active'; readonly nic: NicAddress }
  | { readonly type: 'capture-file-busy'; readonly fileName: string }
  | { readonly type: 'capture-not-found'; readonly fileName: string }
  | {
      readonly type: 'data-link-type-unsupported'
      readonly dataLinkType: string
      readonly supported: readonly string[]
    }

type DrawingError =
  | { readonly type: 'drawing-not-found'; readonly id: DrawingId }
  /** A drawing of another project has the id. */
  | { readonly type: 'drawing-id-taken'; readonly id: DrawingId }
  /** Another process changed the drawing in the same store first. */
  | { readonly type: 'drawing-conflict'; readonly id: DrawingId }
  /** The SVG is not a document of one, or could run or load something. `problem` is a sentence that names the place. */
  | { readonly type: 'drawing-svg-refused'; readonly problem: string }

type DiskImageError =
  /** The host keeps no disk images. */
  | { readonly type: 'disk-images-absent' }
  | { readonly type: 'disk-image-name-invalid'; readonly name: string }
  | { readonly type: 'disk-image-not-found'; readonly name: string }
  | { readonly type: 'disk-image-exists'; readonly name: string }
  /** Another call changes the image. */
  | { readonly type: 'disk-image-busy'; readonly name: string }
  | { readonly type: 'disk-image-in-use'; readonly name: string; readonly users: readonly DiskImageUser[] }
  /** The new size is smaller, and the request does not allow that. */
  | { readonly type: 'disk-image-shrinks'; readonly name: string }
  /** A part that does not follow what was received, or of a file with another size. */
  | {
      readonly type: 'upload-range-wrong'
      readonly name: string
      readonly receivedBytes: number
      /** `undefined` where no upload of the name has begun. */
      readonly totalBytes: number | undefined
    }
  /** The body has more or fewer bytes than the part. */
  | { readonly type: 'upload-length-wrong'; readonly name: string; readonly bytes: number }
  | { readonly type: 'digest-differs'; readonly name: string; readonly of: 'part' | 'file' }
  | { readonly type: 'disk-full' }

type ServerError =
  | {
      readonly type: 'port-unavailable'
      readonly use: PortUse
      readonly port: number
      readonly reason: 'taken' | 'in-use' | 'privileged'
    }
  | { readonly type: 'ports-exhausted'; readonly use: PortUse; readonly first: number; readonly last: number }
  | { readonly type: 'slots-exhausted'; readonly kind: Kind }
  | {
      readonly type: 'limit-reached'
      readonly what:
        | 'projects'
        | 'instances'
        | 'running instances'
        | 'connections'
        | 'drawings'
        | 'characters of drawings'
        | 'ports'
        | 'bytes of captures'
        | 'capture files'
        | 'disk images'
        | 'bytes of a disk image'
        | 'bytes of disk images'
        | 'bytes of a disk'
        | 'uploads at the same time'
        | 'commands at the same time'
        | 'viewers'
      readonly limit: number
    }
  | { readonly type: 'emulator-absent'; readonly kind: Kind }
  | RefusedError

/** A `Refusal` of an emulator, the link relay, the console listener or the project files. */
export interface RefusedError {
  readonly type: 'refused'
  readonly reason: RefusalReason
  readonly message: string
  readonly debianPackage?: string
}
