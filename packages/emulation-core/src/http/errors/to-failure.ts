import type { EmulationError } from '../../emulation-error.ts'
import { kindNoun, nounOf, wireKinds } from '../kinds/kind-names.ts'
import { type Failure, failure } from './failure.ts'

type FailuresByType = {
  readonly [Type in EmulationError['type']]: (error: Extract<EmulationError, { type: Type }>) => Failure
}

const capitalized = (noun: string) => noun.replace(/^[a-z]/, (letter) => letter.toUpperCase())

const notFound = (message: string) => failure(404, message)
const conflict = (message: string) => failure(409, message)
const invalid = (message: string) => failure(400, message)

const portReasons = {
  taken: 'already in use on host.',
  'in-use': 'is already in use by another program.',
  privileged: 'is below 1024 and outside the range of the host.',
} as const

const limitedOwners = {
  projects: 'A server',
  instances: 'A project',
  'running instances': 'A server',
  connections: 'An instance',
  drawings: 'A project',
  'characters of drawings': 'A project',
  ports: 'A switch',
  'bytes of captures': 'A project',
  'disk images': 'A server',
  'bytes of a disk image': 'A server',
  'bytes of disk images': 'A server',
  'bytes of a disk': 'A server',
  'uploads at the same time': 'A server',
  'commands at the same time': 'A server',
  viewers: 'A console',
  'capture files': 'A project',
} as const

const failuresByType: FailuresByType = {
  'project-not-found': ({ projectId }) => notFound(`Project ID ${projectId} doesn't exist.`),
  'project-exists': ({ projectId }) => conflict(`Project ID ${projectId} already exists.`),
  'project-location-fixed': () => failure(403, 'You are not allowed to modify the project directory location.'),
  'project-path-invalid': ({ path }) =>
    invalid(
      `The project directory '${path.slice(0, 200)}' is not allowed. 'path' must be absolute, without '.' or '..' steps, quotes or control characters.`,
    ),
  'project-path-taken': ({ path }) =>
    conflict(`The project directory '${path.slice(0, 200)}' belongs to another project.`),
  'project-busy': ({ projectId }) => conflict(`Project ID ${projectId} has running VMs or captures. Stop them first.`),
  'project-closed': ({ projectId }) => conflict(`Project ID ${projectId} is closed. Open it first.`),
  'project-locked': ({ projectId }) => conflict(`Project ID ${projectId} is locked. It cannot be changed.`),
  'project-archived': ({ projectId }) =>
    conflict(`Project ID ${projectId} is archived. Set 'archived' to false before it is opened.`),
  'instance-not-found': ({ kind, id }) => notFound(`${capitalized(nounOf(kind))} ID ${id} doesn't exist.`),
  'node-not-found': ({ id }) => notFound(`Node ID ${id} doesn't exist.`),
  'instance-elsewhere': ({ projectId, name }) => notFound(`Project ID ${projectId} doesn't belong to VM ${name}.`),
  'instance-id-taken': ({ id }) => conflict(`ID ${id} is already used by another VM or device.`),
  'instance-conflict': ({ id }) => conflict(`VM ID ${id} was changed at the same time. Send the request again.`),
  'instance-not-started': ({ kind, name }) => conflict(`The ${kindNoun(kind)} ${name} is not started.`),
  'action-unsupported': ({ kind, name, action }) =>
    conflict(`The ${kindNoun(kind)} ${name} does not support ${action}.`),
  'setting-fixed': ({ kind, name, setting }) =>
    conflict(
      `The setting '${setting}' of the ${kindNoun(kind)} ${name} is chosen at its creation and cannot be changed.`,
    ),
  'hub-without-settings': () =>
    conflict(
      "A hub sends every frame to every other port: 'ports', 'port_settings' and 'mac_ageing_seconds' are settings of a switch.",
    ),
  'text-too-long': ({ limit }) => invalid(`The text is longer than ${limit} bytes after '%h' is replaced by the name.`),
  'console-absent': ({ kind, name }) => conflict(`The ${kindNoun(kind)} ${name} has no console.`),
  'console-busy': ({ kind, name }) =>
    conflict(`Another command runs on the console of the ${kindNoun(kind)} ${name}. Wait until it has ended.`),
  'prompt-absent': ({ kind, name, shown }) =>
    conflict(
      `The console of the ${kindNoun(kind)} ${name} shows no prompt. Its last line is '${shown}'. The command was not typed.`,
    ),
  'display-absent': ({ kind, name }) => conflict(`The ${kindNoun(kind)} ${name} has no display for VNC.`),
  'adapter-not-found': ({ kind, name, nic }) =>
    conflict(`Adapter ${nic.adapter} doesn't exist on ${kindNoun(kind)} '${name}'.`),
  'port-not-found': ({ kind, name, nic }) =>
    conflict(`Port ${nic.port} doesn't exist in adapter ${nic.adapter} of ${kindNoun(kind)} '${name}'.`),
  'nic-not-connected': ({ kind, name, nic }) =>
    kind === 'ethernet-switch'
      ? conflict(`Port ${nic.port} is not allocated.`)
      : conflict(`Port ${nic.port} of adapter ${nic.adapter} on ${kindNoun(kind)} '${name}' has no NIO.`),
  'nic-connected': ({ nic }) => conflict(`Port ${nic.port} isn't free.`),
  'nio-unsupported': ({ kind, nioType }) =>
    invalid(`NIO type '${nioType.replaceAll('-', '_')}' is not supported by ${wireKinds[kind]}.`),
  'capture-active': ({ nic }) => conflict(`Packet capture is already activated on ${nic.adapter}/${nic.port}.`),
  'capture-not-active': ({ nic }) => conflict(`Packet capture is not activated on ${nic.adapter}/${nic.port}.`),
  'capture-file-busy': ({ fileName }) => conflict(`Capture file '${fileName}' is being written.`),
  'capture-not-found': ({ fileName }) => notFound(`Capture file '${fileName}' doesn't exist.`),
  'data-link-type-unsupported': ({ dataLinkType, supported }) =>
    conflict(`Data link type '${dataLinkType}' is not supported on this port. Allowed: ${supported.join(', ')}.`),
  'drawing-not-found': ({ id }) => notFound(`Drawing ID ${id} doesn't exist.`),
  'drawing-id-taken': ({ id }) => conflict(`ID ${id} is already used by a drawing of another project.`),
  'drawing-conflict': ({ id }) => conflict(`Drawing ID ${id} was changed at the same time. Send the request again.`),
  'drawing-svg-refused': ({ problem }) => invalid(`'svg' is refused: ${problem}`),
  'disk-images-absent': () => conflict('This server keeps no disk images.'),
  'disk-image-name-invalid': ({ name }) =>
    invalid(
      `'${name.slice(0, 200)}' cannot be the name of a disk image. It has 1 to 200 bytes, begins with a letter, a digit or '_', and contains only these, spaces and '._+~@()=#-'.`,
    ),
  'disk-image-not-found': ({ name }) => notFound(`Disk image '${name}' doesn't exist.`),
  'disk-image-exists': ({ name }) => conflict(`Disk image '${name}' already exists. Delete it first.`),
  'disk-image-busy': ({ name }) => conflict(`Disk image '${name}' is being changed by another request.`),
  'disk-image-in-use': ({ name, users }) =>
    conflict(`Disk image '${name}' is used by ${listUsers(users)}. Delete them first, or give them another image.`),
  'disk-image-shrinks': ({ name }) =>
    conflict(`Disk image '${name}' would become smaller, which deletes its end. Set 'shrink' to do that.`),
  'upload-range-wrong': ({ name, receivedBytes, totalBytes }) =>
    conflict(
      totalBytes === undefined
        ? `No upload of disk image '${name}' has begun. Send its first byte first.`
        : `The upload of disk image '${name}' has ${receivedBytes} of ${totalBytes} bytes. Continue there, or delete it.`,
    ),
  'upload-length-wrong': ({ name, bytes }) =>
    invalid(`The body of the upload of disk image '${name}' does not have the announced ${bytes} bytes.`),
  'digest-differs': ({ name, of }) =>
    invalid(
      of === 'part'
        ? `The digest of this part of disk image '${name}' differs. Send the part again.`
        : `The digest of disk image '${name}' differs. The upload was removed.`,
    ),
  'disk-full': () => conflict('The disk of the server has too little free space.'),
  'port-unavailable': ({ use, port, reason }) =>
    conflict(`${use === 'udp' ? 'UDP' : 'TCP'} port ${port} ${portReasons[reason]}`),
  'ports-exhausted': ({ use, first, last }) =>
    conflict(`Could not find a free ${use === 'udp' ? 'UDP' : 'TCP'} port between ${first} and ${last}.`),
  'slots-exhausted': ({ kind }) => conflict(`No further ${kindNoun(kind)} can be created, as every number is used.`),
  'limit-reached': ({ what, limit }) => conflict(`${limitedOwners[what]} cannot have more than ${limit} ${what}.`),
  'emulator-absent': ({ kind }) => conflict(`This server has no emulator for ${wireKinds[kind]}.`),
  refused: ({ reason, message }) => failure(reason === 'not-privileged' ? 403 : 409, message),
}

/** Names the instances that use an image, at most three of them. */
function listUsers(users: Extract<EmulationError, { type: 'disk-image-in-use' }>['users']): string {
  const named = users.slice(0, 3).map(({ kind, name, id }) => `${kindNoun(kind)} '${name}' (${id})`)
  const left = users.length - named.length
  return [...named, ...(left > 0 ? [`${left} more`] : [])].join(', ')
}

/** Maps an error of the services to its response. */
export function toFailure(error: EmulationError): Failure {
  // The entry of a type accepts the errors of that type.
  const describe = failuresByType[error.type] as (error: EmulationError) => Failure
  return describe(error)
}
