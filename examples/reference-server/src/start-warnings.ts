import { isLoopback } from '@trivium/http-contract'
import type { AdminPassword } from './admin-password.ts'
import { mistrust, type Ownership } from './mistrust.ts'
import type { Settings } from './settings.ts'
import { isWeak, LEAST_LENGTH, LEAST_REST } from './weak-password.ts'

export interface StartCircumstances {
  readonly settings: Settings
  readonly admin: AdminPassword
  /** Of the process; absent where the operating system has none. */
  readonly userId: number | undefined
  /** How many connections are taken at the same time. */
  readonly connections: number
  /** Of the data directory. */
  readonly dataDirectory: Ownership
}

/** What an operator should change, one sentence each; nothing where all is well. */
export function startWarnings({
  settings,
  admin,
  userId,
  connections,
  dataDirectory,
}: StartCircumstances): readonly string[] {
  const directory = settings.TRIVIUM_DATA_DIR
  const distrust = mistrust(dataDirectory, userId)
  const { HOST: host, TRIVIUM_TLS_CERT: certificate, TRIVIUM_MAX_CONNECTIONS: wanted } = settings
  const { TRIVIUM_SERVICES: services, TRIVIUM_VOLUMES: volumes } = settings
  const hasRealVolumes = services.includes('storage') && volumes.some(({ location }) => location !== 'simulated')
  const warnings: readonly (readonly [boolean, string])[] = [
    [
      admin.file === undefined && isWeak(admin.password),
      `The admin password is easy to guess: give TRIVIUM_ADMIN_PASSWORD at least ${LEAST_LENGTH} characters, ${LEAST_REST} of them beside common words, years, rows of keys and repetitions, or leave it unset.`,
    ],
    [
      !isLoopback(host) && certificate === undefined,
      `Passwords and keys go over the network unencrypted at ${host}: use --tls-cert and --tls-key, or let only a proxy with TLS reach this address.`,
    ],
    [
      userId === 0 && services.includes('emulation'),
      'This runs as root, and so do the emulators of labs: start it as a user of its own, and volumes that need root as a server without labs.',
    ],
    [
      userId === 0 && !services.includes('emulation') && !hasRealVolumes,
      'This runs as root without a need: start it as a user of its own.',
    ],
    [
      distrust === 'owner',
      `The directory ${directory} belongs to another user, who can replace the files in it: choose another with --data-dir, or make it yours.`,
    ],
    [
      distrust === 'writers',
      `Other users may write into the directory ${directory} and replace the files in it: take that right with "chmod go-w".`,
    ],
    [
      connections < wanted,
      `At most ${connections} connections are taken at the same time instead of ${wanted}: this process may open too few files. Raise that to ${wanted * 2} with "ulimit -n" or LimitNOFILE=.`,
    ],
  ]
  return warnings.filter(([applies]) => applies).map(([, warning]) => `Warning: ${warning}`)
}
