import {
  type Admission,
  type CallerIdentity,
  checkOptions,
  implementSockets,
  isSameOrigin,
  type Socket,
  type SocketCall,
  type SocketExchange,
  type SocketOperation,
  type SocketRefusal,
  type SocketRoute,
  type SocketVerdict,
} from '@trivium/http-contract'
import type { ResultAsync } from 'neverthrow'
import type { ConsoleHub } from '../consoles/console-hub.ts'
import type { DisplayEndpoint } from '../consoles/display-endpoint.ts'
import { attachDisplayViewer } from '../consoles/display-viewer.ts'
import type { Emulation, EmulationError, InstanceReference, Kind } from '../index.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { VERSION } from '../version.ts'
import { admitWith, replyHeaders, unauthorized } from './access/admission.ts'
import type { Caller } from './access/caller.ts'
import { failureReply } from './errors/failure-reply.ts'
import { failures } from './errors/failures.ts'
import { toFailure } from './errors/to-failure.ts'
import { type EmulationRoutesOptions, emulationRoutesOptionNames } from './options.ts'
import { productSockets } from './product-names.ts'
import { emulationSockets } from './socket-contract.ts'
import { unversioned } from './unversioned.ts'

type ConsoleCall = SocketCall<(typeof emulationSockets)[keyof typeof emulationSockets], Viewer>

type FindTarget<Target> = (reference: InstanceReference) => ResultAsync<Target, EmulationError>

interface Viewer {
  /** The refusal for a viewer without a ticket; `undefined` where the headers of the request admit it. */
  readonly refusal: SocketRefusal | undefined
  /** The identity of the caller; `undefined` for a refused one. */
  readonly identity: CallerIdentity | undefined
}

/**
 * Creates the WebSocket routes of the consoles, each at its path with `/v1` and without it. A page of another origin
 * needs a ticket, as a browser sends stored credentials for any page.
 *
 * A request that is refused gets a response instead of a socket, as over HTTP, such as 401 or 404. Output is sent as
 * binary messages, input is received as binary or text. The server closes a socket with code 1001 when the console has
 * ended, and with 1013 where the viewer does not keep up or the console has too many viewers.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 *
 * @example
 * ```ts
 * import type { Emulation } from '@trivium/emulation-core'
 * import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
 * import { fastifyRoutes, fastifySockets } from '@trivium/fastify-adapter'
 * import { adminCheck } from '@trivium/http-contract'
 * import fastify from 'fastify'
 *
 * export async function serve(emulation: Emulation, password: string): Promise<void> {
 *   const options = { admin: adminCheck(password) }
 *   const app = fastify()
 *   app.register(fastifyRoutes(emulationRoutes(emulation, options)))
 *   app.register(fastifySockets(emulationSocketRoutes(emulation, options)))
 *   await app.listen({ port: 3000 })
 * }
 * ```
 */
export function emulationSocketRoutes<Host = unknown>(
  emulation: Emulation,
  options: EmulationRoutesOptions<Host> = {},
): readonly SocketRoute<Host>[] {
  checkOptions('emulationSocketRoutes', options, emulationRoutesOptionNames)
  const {
    version = VERSION,
    productNames = false,
    onFault = (error, _, id) => emulation.onFault(error, id),
    onAnswered,
    publicUrl,
  } = options
  const { consoles } = emulation

  const admitted =
    <Target>(kind: Kind, find: FindTarget<Target>, attach: (target: Target, socket: Socket) => void) =>
    async ({ params, query, caller }: ConsoleCall): Promise<SocketVerdict> => {
      const reference = { ...params, kind }
      const { refusal, identity: known } = caller
      const { ticket } = query
      const isAdmitted = !refusal || (ticket !== undefined && (await consoles.redeemTicket(reference, ticket)))
      if (!isAdmitted) return refusal
      const identity: CallerIdentity = refusal || !known ? { type: 'ticket' } : known
      return find(reference).match<SocketVerdict>(
        (target) => ({ open: (socket) => attach(target, socket), identity }),
        (error) => ({ reply: failureReply(toFailure(error)), identity }),
      )
    }

  const open = (kind: Kind) => admitted(kind, consoles.find, attachViewer)

  const decide = admitWith(emulation, options)
  const admit = async (
    exchange: SocketExchange<Host>,
    _: SocketOperation,
    operation: string,
  ): Promise<Admission<Viewer>> => {
    if (emulation.isClosed) throw new ServiceClosed('emulation')
    if (!isSameOrigin(exchange)) {
      return { caller: { refusal: { reply: unauthorized, reason: 'cross_site' }, identity: undefined } }
    }
    const admission: Admission<Caller> = await decide(exchange, operation, 'CONNECT')
    return { caller: { refusal: 'reply' in admission ? admission : undefined, identity: admission.identity } }
  }

  const neutral = implementSockets(
    emulationSockets,
    {
      openConsoleEmu1: open('machine'),
      openDisplayEmu1: admitted('machine', consoles.display, attachDisplay),
      openConsoleEmu2: open('router'),
      openConsoleEmu3: open('virtual-pc'),
      openConsoleEmu4: open('desktop-vm'),
      openConsoleContainer: open('container'),
    },
    {
      failures,
      admit,
      headers: replyHeaders(version),
      ...(onAnswered && { onAnswered }),
      ...(publicUrl !== undefined && { publicUrl }),
      onFault: ignoreServiceClosed(onFault),
    },
  )
  const versioned = productNames ? [...neutral, ...productSockets(neutral)] : neutral
  return versioned.flatMap((route) => [route, unversioned(route)])
}

const GOING_AWAY = 1001
const TRY_AGAIN_LATER = 1013

function attachViewer(hub: ConsoleHub, socket: Socket): void {
  const encoder = new TextEncoder()
  const input = hub.attach({
    send: (bytes) => socket.send(bytes),
    get bufferedBytes() {
      return socket.bufferedBytes
    },
    close: (reason) =>
      reason === 'slow'
        ? socket.close(TRY_AGAIN_LATER, 'The viewer does not keep up')
        : socket.close(GOING_AWAY, 'The console has ended'),
  })
  if (!input) {
    socket.close(TRY_AGAIN_LATER, 'The console accepts no more viewers')
    return
  }
  socket.onMessage((message) => input.write(typeof message === 'string' ? encoder.encode(message) : message))
  socket.onClose(() => input.detach())
}

function attachDisplay(display: DisplayEndpoint, socket: Socket): void {
  const input = attachDisplayViewer(display, {
    send: (bytes) => socket.send(bytes),
    get bufferedBytes() {
      return socket.bufferedBytes
    },
    close: (reason) =>
      reason === 'ended'
        ? socket.close(GOING_AWAY, 'The display has ended')
        : socket.close(TRY_AGAIN_LATER, 'The display accepts no more input or viewers'),
  })
  const encoder = new TextEncoder()
  socket.onMessage((message) => input.write(typeof message === 'string' ? encoder.encode(message) : message))
  socket.onClose(() => input.detach())
}
