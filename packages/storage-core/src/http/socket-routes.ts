import {
  type Admission,
  checkOptions,
  faultReport,
  implementSockets,
  isSameOrigin,
  type Socket,
  type SocketExchange,
  type SocketOperation,
  type SocketRoute,
} from '@trivium/http-contract'
import { checkRange } from '../check-range.ts'
import type { Storage } from '../create-storage.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { newestNotice } from '../notices/notice-watch.ts'
import type { NoticeField } from '../notices/stored-notice.ts'
import type { Query } from '../query/query.ts'
import { admitWith, unauthorized } from './access/admission.ts'
import type { Caller } from './access/caller.ts'
import { visibleClauses } from './collections/visible-records.ts'
import { codes } from './errors/error-codes.ts'
import { failureReply } from './errors/failure-reply.ts'
import { failures } from './errors/failures.ts'
import { noticeSource } from './notices/notice-records.ts'
import { AccessEnded, sendNotices } from './notices/notice-socket.ts'
import { type StorageRoutesOptions, storageRoutesOptionNames } from './options.ts'
import { storageSockets } from './socket-contract.ts'

interface Follower {
  readonly caller: Caller
  /** Decides again about the request that opens the socket. */
  readonly decideAgain: () => Promise<Admission<Caller>>
}

/**
 * Creates the WebSocket routes of the storage: the notices as they are published. Mount them beside those of
 * {@link storageRoutes}, with the same options. The rule for `openNotices` decides when a socket is opened, and again
 * before each read of new notices: a socket whose caller it then refuses is closed with 1008.
 *
 * A request that is refused gets a response instead of a socket, such as 401; of a page of another origin always, as a
 * browser sends stored credentials for any page. Up to 1 MiB is queued for a slow reader, who is closed with 1013 after 10
 * seconds, and continues with `after`. The server closes with 1001 when the storage closes, with 1013 when its store
 * fails, and with 1003 after a binary message.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 * @throws RangeError for a number that is outside its range
 *
 * @example
 * ```ts
 * import { expressSockets } from '@trivium/express-adapter'
 * import { adminCheck } from '@trivium/http-contract'
 * import type { Storage } from '@trivium/storage-core'
 * import { storageSocketRoutes } from '@trivium/storage-core/http'
 * import type { Server } from 'node:http'
 *
 * export const serveNotices = (storage: Storage, server: Server) =>
 *   expressSockets(server, storageSocketRoutes(storage, { admin: adminCheck('secret') }))
 * ```
 */
export function storageSocketRoutes<Host = unknown>(
  storage: Storage,
  options: StorageRoutesOptions<Host> = {},
): readonly SocketRoute<Host>[] {
  checkOptions('storageSocketRoutes', options, storageRoutesOptionNames)
  const {
    onFault: report = (error, _, id) => storage.onFault(error, id),
    onAnswered,
    publicUrl,
    noticeSockets = 100,
  } = options
  checkRange({ noticeSockets }, 1, 10_000)
  const onFault = faultReport(ignoreServiceClosed(report))
  const { notices } = storage
  const { belonging } = noticeSource(storage)
  /** With the users of the host that have opened them. */
  const opened = new Map<Socket, string | undefined>()
  /** Returns why no socket can be opened. `undefined` where one can. */
  const refusalOf = ({ userId }: Caller): string | undefined => {
    if (opened.size >= noticeSockets) return tooManySockets(noticeSockets)
    const own = [...opened.values()].filter((user) => user !== undefined && user === userId).length
    return own >= SOCKETS_OF_USER ? tooManyOfUser : undefined
  }

  const decide = admitWith(storage, options)
  const admit = async (
    exchange: SocketExchange<Host>,
    _: SocketOperation,
    operation: string,
  ): Promise<Admission<Follower>> => {
    if (storage.isClosed) throw new ServiceClosed('storage')
    if (!isSameOrigin(exchange)) return { reply: unauthorized, reason: 'cross_site' }
    const decideAgain = () => decide(exchange, operation, 'CONNECT')
    const admission = await decideAgain()
    return 'reply' in admission ? admission : { ...admission, caller: { caller: admission.caller, decideAgain } }
  }

  async function visibleTo({ caller, decideAgain }: Follower): Promise<Query<NoticeField>> {
    const admission = await decideAgain()
    if (!('reply' in admission)) return { all: visibleClauses(admission.caller, belonging) }
    // The credentials were not checked, because others of the same source are wrong.
    if (admission.reason === 'too_many_guesses') return { all: visibleClauses(caller, belonging) }
    throw new AccessEnded()
  }

  /** The position is read before the handshake, so that an opened socket misses nothing. */
  const startOf = async (after: number | undefined): Promise<number> =>
    after ?? (await notices.list(newestNotice)).records[0]?.number ?? 0

  return implementSockets(
    storageSockets,
    {
      openNotices: async ({ query, caller: follower }) => {
        const after = await startOf(query.after)
        const message = refusalOf(follower.caller)
        if (message !== undefined) return { reply: failureReply({ status: 503, code: codes.internal, message }) }
        return {
          open: (socket) => {
            // Several upgrades may have been admitted to the last place.
            if (refusalOf(follower.caller) !== undefined)
              return socket.close(1013, 'There are too many sockets of notices')
            opened.set(socket, follower.caller.userId)
            socket.onClose(() => opened.delete(socket))
            sendNotices(socket, {
              caller: follower.caller,
              follow: (signal) => notices.follow({ after, query: () => visibleTo(follower), signal }),
              onFault: (error) => onFault(error, storageSockets.openNotices, 'openNotices'),
            })
          },
        }
      },
    },
    {
      failures,
      admit,
      slashes: 'lenient',
      ...(onAnswered && { onAnswered }),
      ...(publicUrl !== undefined && { publicUrl }),
      onFault,
    },
  )
}

/** So that one user does not take the places of all. */
const SOCKETS_OF_USER = 10

const tooManyOfUser = `You have ${SOCKETS_OF_USER} sockets of notices, which is the most for a user. Close one of them.`

const tooManySockets = (maximum: number): string =>
  `There are ${maximum} sockets of notices, which is the most. Try again when one of them is closed.`
