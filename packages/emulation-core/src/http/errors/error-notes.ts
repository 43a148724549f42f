import type { EmulationError, InstanceId, ProjectId } from '../../index.ts'
import type { RefusalReason } from '../../refusal.ts'

export interface ErrorNote {
  readonly when: string
  readonly remedy: string
}

interface NoteOf<Outcome> extends ErrorNote {
  /** `{name}` stands for what differs from request to request. */
  readonly example: Outcome
}

type Outcome<Type extends EmulationError['type']> = Extract<EmulationError, { readonly type: Type }>

type Notes = {
  readonly [Type in EmulationError['type']]?: NoteOf<Outcome<Type>> | readonly NoteOf<Outcome<Type>>[]
}

// They stand for any.
const PROJECT_ID = '{project_id}' as ProjectId
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
  remedy: 'Remove or stop what is not needed, or have the host raise `limits`.',
})

const refused = (reason: RefusalReason, when: string, remedy: string): NoteOf<Outcome<'refused'>> => ({
  example: { type: 'refused', reason, message: `{${reason}: the words of the emulator, the link relay or the files}` },
  when,
  remedy,
})

const notes = {
  Projects: {
    'project-not-found': {
      example: { type: 'project-not-found', projectId: PROJECT_ID },
      when: 'No project has the id, or it was closed while temporary.',
      remedy: 'List the projects: `GET /v1/projects`.',
    },
    'project-exists': {
      example: { type: 'project-exists', projectId: PROJECT_ID },
      when: 'A project is made with an id that one has (201 with that one where the host sets `reopenExistingProjects`).',
      remedy: 'Read it with `GET`, or choose another id.',
    },
    'project-location-fixed': {
      example: { type: 'project-location-fixed' },
      when: 'A request says where the project lies, and the host has not set `localMode`.',
      remedy: 'Leave `path` out.',
    },
    'project-path-invalid': {
      example: { type: 'project-path-invalid', path: '{path}' },
      when: 'The path is not absolute, has steps up, quotes or control characters, is too long, or has the directory of all projects in it. A project does not move into its own directory either.',
      remedy: 'Send an absolute path.',
    },
    'project-path-taken': {
      example: { type: 'project-path-taken', path: '{path}' },
      when: 'The directory of another open project is the same, inside, or around.',
      remedy: 'Choose a directory beside it.',
    },
    'project-busy': {
      example: { type: 'project-busy', projectId: PROJECT_ID },
      when: 'The directory is to be changed while something runs or captures in it.',
      remedy: 'Stop the instances and captures first.',
    },
  },
  Instances: {
    'instance-not-found': {
      example: { type: 'instance-not-found', kind: KIND, id: INSTANCE_ID },
      when: 'No instance of this kind has the id; switches are called devices.',
      remedy: 'List the instances of the project.',
    },
    'instance-elsewhere': {
      example: { type: 'instance-elsewhere', kind: KIND, name: NAME, projectId: PROJECT_ID },
      when: 'The instance is of another project than the address says.',
      remedy: 'Use the address of its own project.',
    },
    'instance-id-taken': {
      example: { type: 'instance-id-taken', id: INSTANCE_ID },
      when: 'An instance is made with an id that one of another kind or project has.',
      remedy: 'Choose another id, or leave it out.',
    },
    'instance-conflict': {
      example: { type: 'instance-conflict', id: INSTANCE_ID },
      when: 'Another writer of the same store was faster.',
      remedy: 'Read the instance, and send the change again.',
    },
    'instance-not-started': {
      example: { type: 'instance-not-started', kind: KIND, name: NAME },
      when: 'Something is asked of a stopped instance that only a running one can do.',
      remedy: 'Start it.',
    },
    'action-unsupported': {
      example: { type: 'action-unsupported', kind: KIND, name: NAME, action: '{action}' },
      when: 'The emulator of this instance has no such action, as suspending for some.',
      remedy: 'Stop and start it instead.',
    },
    'text-too-long': {
      example: { type: 'text-too-long', limit: 2 ** 20 },
      when: 'A startup script or configuration is too long once `%h` is the name.',
      remedy: 'Shorten it.',
    },
    'console-absent': {
      example: { type: 'console-absent', kind: KIND, name: NAME },
      when: 'The instance has no console: a switch, or an emu4 VM without `enable_remote_console`.',
      remedy: 'Use the interface of the instance.',
    },
  },
  'Links and captures': {
    'adapter-not-found': {
      example: { type: 'adapter-not-found', kind: KIND, name: NAME, nic },
      when: 'The address names an adapter that the instance does not have.',
      remedy: 'Add adapters while it is stopped, or use another.',
    },
    'port-not-found': {
      example: { type: 'port-not-found', kind: KIND, name: NAME, nic },
      when: 'The address names a port that the adapter does not have.',
      remedy: 'Use a port that it has.',
    },
    'nic-not-connected': [
      {
        example: { type: 'nic-not-connected', kind: KIND, name: NAME, nic },
        when: 'A cable is to be changed, removed or captured where no cable exists.',
        remedy: 'Connect the port first.',
      },
      {
        example: { type: 'nic-not-connected', kind: 'ethernet-switch', name: NAME, nic },
        when: 'The same, of a switch.',
        remedy: 'Connect the port first.',
      },
    ],
    'nic-connected': {
      example: { type: 'nic-connected', kind: 'ethernet-switch', name: NAME, nic },
      when: 'A port of a switch is connected while it has a cable; machines let go of theirs.',
      remedy: 'Remove the cable first.',
    },
    'nio-unsupported': {
      example: { type: 'nio-unsupported', kind: KIND, nioType: 'linux-ethernet' },
      when: 'The kind takes other types of cable ends.',
      remedy: 'Use `nio_udp`, which all kinds take.',
    },
    'capture-active': {
      example: { type: 'capture-active', nic },
      when: 'A capture is started where one runs.',
      remedy: 'Stop it first, or read it as a stream.',
    },
    'capture-not-active': {
      example: { type: 'capture-not-active', nic },
      when: 'A capture is stopped where none runs.',
      remedy: 'None is needed.',
    },
    'capture-file-busy': {
      example: { type: 'capture-file-busy', fileName: '{name}' },
      when: 'A file is named, or to be deleted, that a capture writes.',
      remedy: 'Choose another name, or stop that capture.',
    },
    'capture-not-found': {
      example: { type: 'capture-not-found', fileName: '{name}' },
      when: 'The project has no capture of this name.',
      remedy: 'List them: `GET /v1/projects/{project_id}/captures`.',
    },
    'data-link-type-unsupported': {
      example: { type: 'data-link-type-unsupported', dataLinkType: '{type}', supported: ['DLT_EN10MB'] },
      when: 'The port carries frames of another type.',
      remedy: 'Use one that the message lists.',
    },
  },
  'What the host has and allows': {
    'port-unavailable': [
      unavailable('taken', 'Another instance has the port.', 'Choose another port, or leave it out.'),
      unavailable('in-use', 'A program on the host has the port.', 'Choose another port, or leave it out.'),
      unavailable(
        'privileged',
        'The port is below 1024 and outside the range of the host.',
        'Choose another port, or leave it out.',
      ),
    ],
    'ports-exhausted': {
      example: { type: 'ports-exhausted', use: 'udp', first: 10_000, last: 20_000 },
      when: 'Every port of the range is taken.',
      remedy: 'Remove what is not needed, or have the host widen the range.',
    },
    'slots-exhausted': {
      example: { type: 'slots-exhausted', kind: 'router' },
      when: 'The kind has a bounded set of numbers, by which its programs distinguish each other.',
      remedy: 'Delete what is not needed.',
    },
    'limit-reached': [
      limitReached('projects', 10_000, 'The server has the most projects that the host allows.'),
      limitReached('instances', 10_000, 'The project has the most instances.'),
      limitReached('running instances', 2500, 'The most instances run at one time.'),
      limitReached('connections', 1024, 'The instance has the most cables.'),
      limitReached('bytes of captures', 2 ** 32, 'The capture files of the project leave no space for another one.'),
    ],
    'emulator-absent': {
      example: { type: 'emulator-absent', kind: 'machine' },
      when: 'An instance is started, and the host gave no emulator for its kind.',
      remedy: 'The host adds one to `emulators`.',
    },
    refused: [
      refused(
        'not-allowed',
        'A program, a path or an option is outside what the host allows.',
        'Use what is allowed, or have the host allow it.',
      ),
      refused(
        'missing-program',
        'The program is not installed; the message names its Debian package.',
        'Install it on the host.',
      ),
      refused(
        'unusable-image',
        'An image or disk is absent, unreadable or of the wrong format.',
        'Put it into the images folder of the host.',
      ),
      refused('unsupported', 'This emulator or relay cannot do it at all.', 'Use another kind or option.'),
      refused('unavailable', 'A port, a name or a host is taken or unreachable.', 'Try again, or choose another.'),
      refused(
        'failed',
        "It was tried and failed; the message has an excerpt of the program's log.",
        'Read the excerpt; mend the image or the settings.',
      ),
    ],
  },
} satisfies Readonly<Record<string, Notes>>

type Unnoted = Exclude<
  EmulationError['type'],
  { [Title in keyof typeof notes]: keyof (typeof notes)[Title] }[keyof typeof notes]
>

/** When each error comes and what to do, in groups; the type names those that are left out. */
export const errorNotes: [Unnoted] extends [never] ? typeof notes : Unnoted = notes

/** What is answered where no service is asked, or one fails. */
export const answerNotes = {
  Access: {
    unauthorized: {
      when: "The admin's credentials are missing or wrong, or a page of another origin sent HTTP Basic.",
      remedy: "Send the admin's password: `curl -u admin:…`, or as a Bearer token.",
    },
    manyGuesses: {
      when: '5 wrong admin passwords came from this address, or too many from all; `Retry-After` has the seconds. What was presented is not looked at, right or wrong.',
      remedy: 'Wait for that time, then present the right one. From another address it is taken immediately.',
    },
  },
  'The request itself': {
    malformed: { when: 'The body is not JSON.', remedy: 'Send valid JSON; `{}` where nothing is to be said.' },
    unknownField: { when: 'A field that the operation does not know.', remedy: 'Leave it out; it may be misspelt.' },
    invalidField: {
      when: 'A field has a wrong type, or is out of its bounds; the message names it.',
      remedy: 'Mend it as the message says.',
    },
    missingField: { when: 'A field that has to be there is missing.', remedy: 'Add it.' },
    methodNotAllowed: { when: 'The path exists, with other methods.', remedy: 'Use one of the header `Allow`.' },
    tooLarge: { when: 'The body is larger than the operation takes.', remedy: 'Send less.' },
  },
  'The server': {
    storeAway: { when: 'The database is away; what runs goes on.', remedy: 'Send it again after a second.' },
    closed: { when: 'The server shuts down.', remedy: 'Send it again once the server is back.' },
    fault: {
      when: 'A fault in the server, or in a part that the host gave.',
      remedy: "The operator looks into the host's log (`onFault`).",
    },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, ErrorNote>>>>
