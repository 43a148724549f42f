import { checkOptions, implement, type Route } from '@trivium/http-contract'
import type { Emulation } from '../index.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { VERSION } from '../version.ts'
import { admitWith, replyHeaders } from './access/admission.ts'
import type { Caller } from './access/caller.ts'
import { emulationContract } from './contract.ts'
import { failures } from './errors/failures.ts'
import { emulationHandlers } from './handlers.ts'
import { type EmulationRoutesOptions, emulationRoutesOptionNames } from './options.ts'
import { productRoutes } from './product-names.ts'
import { unversioned } from './unversioned.ts'

/** The most waiting notifications of a client. */
const NOTIFICATION_BACKLOG = 1000

/**
 * Creates the routes of every operation, each at its path with `/v1` and at the same path without it. Without `admin`
 * or `authorize` every request is refused.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 *
 * @example
 * ```ts
 * import type { Emulation } from '@trivium/emulation-core'
 * import { emulationRoutes } from '@trivium/emulation-core/http'
 * import { fetchHandler } from '@trivium/fetch-adapter'
 * import { adminCheck } from '@trivium/http-contract'
 *
 * export const handlerOf = (emulation: Emulation) =>
 *   fetchHandler(emulationRoutes(emulation, { admin: adminCheck('secret') }))
 * ```
 */
export function emulationRoutes<Host = unknown>(
  emulation: Emulation,
  options: EmulationRoutesOptions<Host> = {},
): readonly Route<Host>[] {
  checkOptions('emulationRoutes', options, emulationRoutesOptionNames)
  const {
    version = VERSION,
    reportedVersion = version,
    productNames = false,
    pingSeconds = 5,
    onFault = (error, _, id) => emulation.onFault(error, id),
    onAnswered,
    publicUrl,
  } = options
  const handlers = emulationHandlers(emulation, { reportedVersion, pingSeconds, backlog: NOTIFICATION_BACKLOG })
  const admit = admitWith(emulation, options)
  const neutral = implement<typeof emulationContract, Caller, Host>(emulationContract, handlers, {
    failures,
    admit(exchange, { method }, operation) {
      if (emulation.isClosed) throw new ServiceClosed('emulation')
      return admit(exchange, operation, method)
    },
    isAdministrative: () => true,
    headers: replyHeaders(version),
    ...(onAnswered && { onAnswered }),
    ...(publicUrl !== undefined && { publicUrl }),
    onFault: ignoreServiceClosed(onFault),
  })
  const versioned = productNames ? [...neutral, ...productRoutes(neutral)] : neutral
  return versioned.flatMap((route) => [route, unversioned(route)])
}
