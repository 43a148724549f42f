import type { DrawingId, EmulationError, InstanceId, ProjectId } from '../../index.ts'
import type { RefusalReason } from '../../refusal.ts'

export interface ErrorNote {
  readonly when: string
  readonly remedy: string
}

interface NoteOf<Outcome> extends ErrorNote {
  /** An error whose texts have placeholders such as `{name}`. */
  readonly example: Outcome
}

type Outcome<Type extends EmulationError['type']> = Extract<EmulationError, { readonly type: Type }>

type Notes = {
  readonly [Type in EmulationError['type']]?: NoteOf<Outcome<Type>> | readonly NoteOf<Outcome<Type>>[]
}

// Placeholders for any id.
const PROJECT_ID = '{project_id}' as ProjectId
const DRAWING_ID = '{drawing_id}' as DrawingId
const INSTANCE_ID = '{vm_id}' as InstanceId

const KIND = 'virtual-pc'
const NAME = '{name}'
const nic = { adapter: 0, port: 1 }

const unavailable = (
  reason: Outcome<'port-unavailable'>['reason'],
  when: string,
  remedy: string,
): NoteOf<Outcome<'port-unavailable'>> => ({
  example: { type: 'port-unavailable', use: 'console', port: 2001, reason },
  when,
  remedy,
})

const limitReached = (
  what: Outcome<'limit-reached'>['what'],
  limit: number,
  when: string,
): NoteOf<Outcome<'limit-reached'>> => ({
  example: { type: 'limit-reached', what, limit },
  when,
  remedy: 'Delete or stop something that is not needed, or have the host raise `limits`.',
})

const refused = (reason: RefusalReason, when: string, remedy: string): NoteOf<Outcome<'refused'>> => ({
  example: {
    type: 'refused',
    reason,
    message: `{${reason}: the message of the emulator, the link relay or the files}`,
  },
  when,
  remedy,
})

const notes = {
  Projects: {
    'project-not-found': {
      example: { type: 'project-not-found', projectId: PROJECT_ID },
      when: 'No project has the id.',
      remedy: 'List the projects: `GET /v1/projects`.',
    },
    'project-exists': {
      example: { type: 'project-exists', projectId: PROJECT_ID },
      when: 'An open project has the id of the request. Where the host sets `reopenExistingProjects`, the answer is 201 with that project.',
      remedy: 'Read the project with `GET`, or choose another id.',
    },
    'project-location-fixed': {
      example: { type: 'project-location-fixed' },
      when: 'A request changes the directory of the project, and the host has not set `localMode`.',
      remedy: 'Leave `path` out.',
    },
    'project-path-invalid': {
      example: { type: 'project-path-invalid', path: '{path}' },
      when: 'The path is not absolute, has `.` or `..` steps, quotes or control characters, has more than 4,096 characters, contains the directory of all projects, or is inside the current directory of the project.',
      remedy: 'Send an absolute path.',
    },
    'project-path-taken': {
      example: { type: 'project-path-taken', path: '{path}' },
      when: 'The directory of another project is the same, is inside the path, or contains it.',
      remedy: 'Choose a directory outside those of other projects.',
    },
    'project-closed': {
      example: { type: 'project-closed', projectId: PROJECT_ID },
      when: 'A request starts or changes something in a project that is closed. Closed projects can be read.',
      remedy: 'Open the project: `POST /v1/projects/{project_id}/open`.',
    },
    'project-locked': {
      example: { type: 'project-locked', projectId: PROJECT_ID },
      when: 'A request changes or deletes a project that is locked, or something in it. Starts and stops are allowed.',
      remedy: 'Unlock the project: `PUT` with `locked: false`.',
    },
    'project-archived': {
      example: { type: 'project-archived', projectId: PROJECT_ID },
      when: 'A request opens a project that is archived.',
      remedy: 'End that first: `PUT` with `archived: false`.',
    },
    'project-busy': {
      example: { type: 'project-busy', projectId: PROJECT_ID },
      when: 'A request changes the project while its instances or captures run, or while another process changes it.',
      remedy: 'Stop the instances and captures, and send the request again.',
    },
  },
  Instances: {
    'instance-not-found': {
      example: { type: 'instance-not-found', kind: KIND, id: INSTANCE_ID },
      when: 'No instance of this kind has the id. Switches are called devices.',
      remedy: 'List the instances of the project.',
    },
    'node-not-found': {
      example: { type: 'node-not-found', id: INSTANCE_ID },
      when: 'A request names an instance of any kind by an id that none in the project has.',
      remedy: 'List the nodes: `GET /v1/projects/{project_id}/nodes`.',
    },
    'instance-elsewhere': {
      example: { type: 'instance-elsewhere', kind: KIND, name: NAME, projectId: PROJECT_ID },
      when: 'The instance belongs to another project than the one in the path.',
      remedy: 'Use the path of its own project.',
    },
    'instance-id-taken': {
      example: { type: 'instance-id-taken', id: INSTANCE_ID },
      when: 'An instance is created with an id that an instance of another kind or project has.',
      remedy: 'Choose another id, or leave it out.',
    },
    'instance-conflict': {
      example: { type: 'instance-conflict', id: INSTANCE_ID },
      when: 'Another process changed the instance in the same store first.',
      remedy: 'Read the instance, and send the request again.',
    },
    'instance-not-started': {
      example: { type: 'instance-not-started', kind: KIND, name: NAME },
      when: 'The operation requires a running instance, and the instance is stopped.',
      remedy: 'Start it.',
    },
    'action-unsupported': {
      example: { type: 'action-unsupported', kind: KIND, name: NAME, action: '{action}' },
      when: 'The emulator of this instance does not support the action. Some cannot suspend.',
      remedy: 'Stop and start the instance instead.',
    },
    'setting-fixed': {
      example: { type: 'setting-fixed', kind: KIND, name: NAME, setting: '{setting}' },
      when: 'An update of a host in JavaScript changes a setting that is chosen at the creation.',
      remedy: 'Create another instance with that setting.',
    },
    'hub-without-settings': {
      example: { type: 'hub-without-settings' },
      when: 'A request sets the VLAN of a port of a hub, or the ageing of its addresses.',
      remedy: 'Leave those settings out, or create a switch: `device_type` `ethernet_switch`.',
    },
    'text-too-long': {
      example: { type: 'text-too-long', limit: 2 ** 20 },
      when: 'A startup script or configuration is too long after `%h` is replaced by the name.',
      remedy: 'Shorten it.',
    },
    'console-absent': {
      example: { type: 'console-absent', kind: KIND, name: NAME },
      when: 'The instance has no console: a switch, an emu4 VM without `enable_remote_console`, or an emu1 VM whose `console_type` is `none`.',
      remedy: 'For an emu4 VM, set `enable_remote_console`. For an emu1 VM, set another `console_type`.',
    },
    'console-busy': {
      example: { type: 'console-busy', kind: KIND, name: NAME },
      when: 'A request runs a command on a console on which another request runs one.',
      remedy: 'Send the commands of one console one after the other.',
    },
    'prompt-absent': {
      example: { type: 'prompt-absent', kind: KIND, name: NAME, shown: 'login:' },
      when: 'No prompt has come within `timeout_seconds`, because the instance still starts or a program runs on its console, or the console asks who logs in.',
      remedy:
        'Send the request again, with a longer `timeout_seconds` while the instance starts. Log in first, or set `prompt` to type without one ([lab consoles](../lab-consoles.md#grade-a-lab-from-a-script)).',
    },
    'display-absent': {
      example: { type: 'display-absent', kind: KIND, name: NAME },
      when: 'The machine was started with another `console_type` than `vnc`.',
      remedy: 'Set `console_type` to `vnc` and start the machine again.',
    },
  },
  'Links and captures': {
    'adapter-not-found': {
      example: { type: 'adapter-not-found', kind: KIND, name: NAME, nic },
      when: 'The path has an adapter number that the instance does not have.',
      remedy: 'Use another adapter, or add adapters while the instance is stopped.',
    },
    'port-not-found': {
      example: { type: 'port-not-found', kind: KIND, name: NAME, nic },
      when: 'The path has a port number that the adapter does not have.',
      remedy: 'Use a port of the adapter.',
    },
    'nic-not-connected': [
      {
        example: { type: 'nic-not-connected', kind: KIND, name: NAME, nic },
        when: 'A NIO is read, changed or streamed on a port that has none.',
        remedy: 'Connect the port first.',
      },
      {
        example: { type: 'nic-not-connected', kind: 'ethernet-switch', name: NAME, nic },
        when: 'The same operations, or a capture, on a port of a switch.',
        remedy: 'Connect the port first.',
      },
    ],
    'nic-connected': {
      example: { type: 'nic-connected', kind: 'ethernet-switch', name: NAME, nic },
      when: 'A switch port that has a NIO is connected again. Other kinds replace the NIO, and switches do where the host sets `reopenExistingProjects`.',
      remedy: 'Delete the NIO of the port first.',
    },
    'nio-unsupported': {
      example: { type: 'nio-unsupported', kind: KIND, nioType: 'linux-ethernet' },
      when: 'The kind does not support this type of NIO.',
      remedy: 'Use `nio_udp`, which all kinds support.',
    },
    'capture-active': {
      example: { type: 'capture-active', nic },
      when: 'A capture is started on a NIC that is already captured.',
      remedy: 'Stop the capture first, or use the capture stream.',
    },
    'capture-not-active': {
      example: { type: 'capture-not-active', nic },
      when: 'A capture is stopped on a NIC that is not captured.',
      remedy: 'Nothing is to be done.',
    },
    'capture-file-busy': {
      example: { type: 'capture-file-busy', fileName: '{name}' },
      when: 'A request starts a capture to a file, or deletes a file, that another capture writes.',
      remedy: 'Choose another name, or stop that capture.',
    },
    'capture-not-found': {
      example: { type: 'capture-not-found', fileName: '{name}' },
      when: 'The project has no capture file of this name.',
      remedy: 'List the capture files: `GET /v1/projects/{project_id}/captures`.',
    },
    'data-link-type-unsupported': {
      example: { type: 'data-link-type-unsupported', dataLinkType: '{type}', supported: ['DLT_EN10MB'] },
      when: 'The port does not carry frames of this data link type.',
      remedy: 'Use a type that the message lists.',
    },
  },
  Drawings: {
    'drawing-not-found': {
      example: { type: 'drawing-not-found', id: DRAWING_ID },
      when: 'No drawing of the project has the id.',
      remedy: 'List the drawings: `GET /v1/projects/{project_id}/drawings`.',
    },
    'drawing-id-taken': {
      example: { type: 'drawing-id-taken', id: DRAWING_ID },
      when: 'A drawing is created with an id that a drawing of another project has.',
      remedy: 'Choose another id, or leave it out.',
    },
    'drawing-conflict': {
      example: { type: 'drawing-conflict', id: DRAWING_ID },
      when: 'Another process changed the drawing in the same store first.',
      remedy: 'Read the drawing, and send the request again.',
    },
    'drawing-svg-refused': {
      example: { type: 'drawing-svg-refused', problem: "The element 'script' is not allowed in an SVG." },
      when: 'The SVG is not well-formed, or it could run or load something in a browser: [what is refused](../projects.md#drawings).',
      remedy: 'Remove what the message names. Most drawing programs can save a plain SVG.',
    },
  },
  'Disk images': {
    'disk-images-absent': {
      example: { type: 'disk-images-absent' },
      when: 'The host keeps no disk images for clients.',
      remedy: 'Have the host set `diskImages`.',
    },
    'disk-image-name-invalid': {
      example: { type: 'disk-image-name-invalid', name: '{name}' },
      when: 'The name could lead out of the directory of images, is one of a device of Windows, or has characters that programs give a meaning.',
      remedy: 'Choose another name.',
    },
    'disk-image-not-found': {
      example: { type: 'disk-image-not-found', name: '{name}' },
      when: 'Neither an image nor an unfinished upload has the name.',
      remedy: 'List the images: `GET /v1/disk-images`.',
    },
    'disk-image-exists': {
      example: { type: 'disk-image-exists', name: '{name}' },
      when: 'A disk is created or uploaded under the name of an image or an unfinished upload. Images are never replaced, as disks of machines are based on them.',
      remedy: 'Delete the image first, or choose another name.',
    },
    'disk-image-busy': {
      example: { type: 'disk-image-busy', name: '{name}' },
      when: 'Another request uploads, creates, resizes or deletes the image.',
      remedy: 'Wait until that request has ended, then read the state of the upload.',
    },
    'disk-image-in-use': {
      example: {
        type: 'disk-image-in-use',
        name: '{name}',
        users: [{ id: INSTANCE_ID, kind: 'machine', name: '{vm}', projectId: PROJECT_ID }],
      },
      when: 'An image is deleted or resized that an instance names, running or not. Its disk contains only what differs from the image.',
      remedy: 'Delete those instances, or give them another image.',
    },
    'disk-image-shrinks': {
      example: { type: 'disk-image-shrinks', name: '{name}' },
      when: 'The new size of a disk is smaller than its size, and the request does not allow that.',
      remedy: 'Send `"shrink": true` if the end of the disk is not needed.',
    },
    'upload-range-wrong': [
      {
        example: { type: 'upload-range-wrong', name: '{name}', receivedBytes: 1024, totalBytes: 4096 },
        when: 'A part of a file overlaps what was received, leaves a gap, is longer than the file, or is of a file with another size.',
        remedy: 'Read the state with `GET`, and continue at `received_bytes`.',
      },
      {
        example: { type: 'upload-range-wrong', name: '{name}', receivedBytes: 0, totalBytes: undefined },
        when: 'The first part of a file does not begin with its first byte, or the upload has expired.',
        remedy: 'Begin with byte 0.',
      },
    ],
    'upload-length-wrong': {
      example: { type: 'upload-length-wrong', name: '{name}', bytes: 1024 },
      when: 'The body has more or fewer bytes than `Content-Range` or `Content-Length` state. None of them is kept.',
      remedy: 'Send as many bytes as announced.',
    },
    'digest-differs': [
      {
        example: { type: 'digest-differs', name: '{name}', of: 'part' },
        when: 'The part does not have the SHA-256 of `Content-Digest`. None of it is kept.',
        remedy: 'Send the part again.',
      },
      {
        example: { type: 'digest-differs', name: '{name}', of: 'file' },
        when: 'The file does not have the SHA-256 of `Repr-Digest`. Nothing is left of the upload.',
        remedy: 'Compare the file with its source, and upload it again.',
      },
    ],
    'disk-full': {
      example: { type: 'disk-full' },
      when: 'An upload would take the space that the host keeps free, or the disk became full meanwhile.',
      remedy: 'Delete images that are not needed, or have the host add space.',
    },
  },
  'What the host has and allows': {
    'port-unavailable': [
      unavailable('taken', 'Another instance uses the port.', 'Choose another port, or leave the field out.'),
      unavailable(
        'in-use',
        'Another program on the host uses the port.',
        'Choose another port, or leave the field out.',
      ),
      unavailable(
        'privileged',
        'The port is below 1024 and outside the range of the host.',
        'Choose another port, or leave the field out.',
      ),
    ],
    'ports-exhausted': {
      example: { type: 'ports-exhausted', use: 'udp', first: 10_000, last: 20_000 },
      when: 'Every port of the range is taken.',
      remedy: 'Delete something that is not needed, or have the host widen the range.',
    },
    'slots-exhausted': {
      example: { type: 'slots-exhausted', kind: 'router' },
      when: 'Every number of the kind is used. Each instance of emu2 and emu3 has a number: at most 511 of emu2 on the server, 65,536 of emu3 in a project.',
      remedy: 'Delete instances that are not needed.',
    },
    'limit-reached': [
      limitReached('projects', 10_000, 'The server has as many open projects as the host allows.'),
      limitReached('instances', 10_000, 'The project has as many instances as the host allows.'),
      limitReached('running instances', 2500, 'As many instances run as the host allows.'),
      limitReached('connections', 1024, 'The instance has as many connections as the host allows.'),
      limitReached('drawings', 1000, 'The project has as many drawings as the host allows.'),
      limitReached('characters of drawings', 2 ** 23, 'The SVG of all drawings of the project would be too long.'),
      limitReached('ports', 1024, 'The switch has as many ports that are set as it can have.'),
      limitReached('capture files', 1000, 'The project has as many capture files as the host allows.'),
      limitReached('bytes of captures', 2 ** 32, 'The capture files of the project leave no space for another file.'),
      limitReached(
        'disk images',
        1000,
        'The server has as many disk images and unfinished uploads as the host allows.',
      ),
      limitReached('bytes of a disk image', 2 ** 35, 'The file of a disk image is larger than the host allows.'),
      limitReached('bytes of disk images', 2 ** 38, 'The disk images leave no room for another one of this size.'),
      limitReached('bytes of a disk', 2 ** 40, 'The disk of a machine would be larger than the host allows.'),
      limitReached('uploads at the same time', 4, 'As many parts of disk images arrive as the host allows.'),
      limitReached('commands at the same time', 100, 'As many commands run on consoles as the host allows.'),
      limitReached('viewers', 100, 'A command is run on a console with as many viewers as the host allows.'),
    ],
    'emulator-absent': {
      example: { type: 'emulator-absent', kind: 'machine' },
      when: 'The host has no emulator for the kind of the instance.',
      remedy: 'Have the host add one to `emulators`.',
    },
    refused: [
      refused(
        'not-allowed',
        'The host does not allow the program, the path or the option.',
        'Use one that is allowed, or have the host allow it.',
      ),
      refused(
        'not-privileged',
        'The server lacks the rights for it, such as those to open a network device.',
        'Have the operator give the server these rights.',
      ),
      refused(
        'missing-program',
        'The program is not installed. The message names its Debian package.',
        'Install it on the host.',
      ),
      refused(
        'unusable-image',
        'An image or disk is absent, unreadable or of the wrong format.',
        'Upload a valid image ([disk images](../disk-images.md)), or put it into the directory of images on the host.',
      ),
      refused('unsupported', 'The emulator or the relay does not support the request.', 'Use another kind or option.'),
      refused('unavailable', 'A port, a name or a host is taken or unreachable.', 'Try again, or choose another.'),
      refused(
        'failed',
        "The emulator tried and failed. The message has an excerpt of the program's log.",
        'Read the excerpt, and correct the image or the settings.',
      ),
    ],
  },
} satisfies Readonly<Record<string, Notes>>

type MissingNotes = Exclude<
  EmulationError['type'],
  { [Title in keyof typeof notes]: keyof (typeof notes)[Title] }[keyof typeof notes]
>

/** When each error occurs and what to do, in groups. A missing note is a compile error that names its type. */
export const errorNotes: [MissingNotes] extends [never] ? typeof notes : MissingNotes = notes

/** Notes on errors of the HTTP interface itself, and on faults. */
export const answerNotes = {
  Access: {
    unauthorized: {
      when: "The admin's credentials are missing or wrong, or a page of another origin sent HTTP Basic.",
      remedy: "Send the admin's password: `curl -u admin:…`, or as a Bearer token.",
    },
    notPermitted: {
      when: "The host has admitted a user who is not allowed to call this operation, because it is the admin's or not among the scopes of the user.",
      remedy: 'Ask the operator of the host for the right to call it.',
    },
    tooManyPasswords: {
      when: 'This address has sent 5 wrong admin passwords, or all addresses together too many. `Retry-After` has the seconds to wait. Until then no password of this address is checked, not even the right one.',
      remedy:
        'Wait for that time, then send the right password. From another address it is accepted without this wait.',
    },
  },
  'The request itself': {
    malformed: { when: 'The body is not JSON.', remedy: 'Send valid JSON, or `{}` without fields.' },
    unknownField: { when: 'The operation has no such field.', remedy: 'Leave it out, or correct its name.' },
    invalidField: {
      when: 'A field has a wrong type, or is out of its bounds. The message names it.',
      remedy: 'Correct it as the message states.',
    },
    missingField: { when: 'A required field is missing.', remedy: 'Add it.' },
    methodNotAllowed: { when: 'The path does not support the method.', remedy: 'Use a method of the `Allow` header.' },
    tooLarge: { when: 'The body is larger than the operation accepts.', remedy: 'Send a smaller body.' },
  },
  'The server': {
    storeUnavailable: {
      when: 'The database is unavailable. Running instances continue.',
      remedy: 'Send the request again after a second.',
    },
    closed: { when: 'The server shuts down.', remedy: 'Send the request again once the server is available.' },
    fault: {
      when: 'A fault in the server, or in a part that the host provides.',
      remedy: "The operator finds the cause in the host's log (`onFault`).",
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, ErrorNote>>>>
