import { implement, type Route } from '@trivium/http-contract'
import type { Emulation } from '../index.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { VERSION } from '../version.ts'
import { admitAdmin, replyHeaders } from './access/admission.ts'
import { emulationContract } from './contract.ts'
import { failures } from './errors/failures.ts'
import { emulationHandlers } from './handlers.ts'
import type { EmulationRoutesOptions } from './options.ts'
import { productRoutes } from './product-names.ts'
import { unversioned } from './unversioned.ts'

/** The most waiting notifications of a client. */
const NOTIFICATION_BACKLOG = 1000

/**
 * Creates the routes of every operation, each at its path with `/v1` and at the same path without it. Without `admin`
 * or `authorize` every request is refused.
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
export function emulationRoutes(emulation: Emulation, options: EmulationRoutesOptions = {}): readonly Route[] {
  const { version = VERSION, productNames = false, pingSeconds = 5, onFault = emulation.onFault, onAnswered } = options
  const handlers = emulationHandlers(emulation, { version, pingSeconds, backlog: NOTIFICATION_BACKLOG })
  const neutral = implement(emulationContract, handlers, {
    failures,
    admit({ headers, remoteAddress }, _, operation) {
      if (emulation.isClosed) throw new ServiceClosed('emulation')
      return admitAdmin({ operation, headers, remoteAddress }, options)
    },
    isAdministrative: () => true,
    headers: replyHeaders(version),
    ...(onAnswered && { onAnswered }),
    onFault: ignoreServiceClosed(onFault),
  })
  const versioned = productNames ? [...neutral, ...productRoutes(neutral)] : neutral
  return versioned.flatMap((route) => [route, unversioned(route)])
}
