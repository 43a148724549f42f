import { isLoopback } from '@trivium/http-contract'
import { type AdminPassword, placeOfPassword } from './admin-password.ts'
import { type Ownership, ownershipProblem } from './ownership-problem.ts'
import type { Settings } from './settings.ts'
import { isWeak, MIN_LENGTH, MIN_REST } from './weak-password.ts'

/** What the warnings of a start depend on. */
export interface StartWarningOptions {
  readonly settings: Settings
  readonly admin: AdminPassword
  /** The user of the process; absent where the operating system has no users. */
  readonly userId: number | undefined
  /** The number of connections that are accepted at the same time. */
  readonly connections: number
  /** The owner and mode of the data directory. */
  readonly dataDirectory: Ownership
}

/** Returns what an operator should change, one line each. */
export function startWarnings({
  settings,
  admin,
  userId,
  connections,
  dataDirectory,
}: StartWarningOptions): readonly string[] {
  const directory = settings.TRIVIUM_DATA_DIR
  const problem = ownershipProblem(dataDirectory, userId)
  const { HOST: host, TRIVIUM_TLS_CERT: certificate, TRIVIUM_MAX_CONNECTIONS: wanted } = settings
  const { TRIVIUM_SERVICES: services, TRIVIUM_VOLUMES: volumes } = settings
  const hasRealVolumes = services.includes('storage') && volumes.some(({ location }) => location !== 'simulated')
  const warnings: readonly (readonly [boolean, string])[] = [
    [
      settings.TRIVIUM_AUTH === 'off',
      'TRIVIUM_AUTH is off. Every user and program of this machine is the admin here, and can start programs and change files with the rights of this server.',
    ],
    [
      admin.file === undefined && isWeak(admin.password),
      `The admin password is easy to guess. Use at least ${MIN_LENGTH} characters in ${placeOfPassword(admin)}, of which ${MIN_REST} are not part of common words, years, rows of keys or repetitions, or leave it unset.`,
    ],
    [
      !isLoopback(host) && certificate === undefined,
      `Passwords and keys are sent unencrypted at ${host}. Use --tls-cert and --tls-key, or let only a proxy with TLS reach this address.`,
    ],
    [
      userId === 0 && services.includes('emulation'),
      'The server runs as root, and so do the emulators of its labs. Start it as a user of its own, and serve volumes that need root with a second server without labs.',
    ],
    [
      userId === 0 && !services.includes('emulation') && !hasRealVolumes,
      'The server runs as root and does not need to. Start it as a user of its own.',
    ],
    [
      settings.TRIVIUM_TRUST_OPTIONS && services.includes('emulation'),
      'TRIVIUM_TRUST_OPTIONS=1 lets everyone who can create a machine read and write the files of this user, and run programs.',
    ],
    [
      problem === 'owner',
      `The directory "${directory}" belongs to another user, who can replace the files in it. Choose another directory with --data-dir, or change its owner to this user.`,
    ],
    [
      problem === 'writers',
      `Other users can write to the directory "${directory}" and replace the files in it. Remove that permission with "chmod go-w".`,
    ],
    [
      connections < wanted,
      `At most ${connections} connections are accepted at the same time instead of ${wanted}, because this process can open too few files. Raise its limit to ${wanted * 2} with "ulimit -n" or LimitNOFILE=.`,
    ],
  ]
  return warnings.filter(([applies]) => applies).map(([, warning]) => `Warning: ${warning}`)
}
