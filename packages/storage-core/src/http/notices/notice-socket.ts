import { exactJson, type Socket } from '@trivium/http-contract'
import type { StoredNotice } from '../../notices/stored-notice.ts'
import { pause, timerScheduler } from '../../scheduling/scheduler.ts'
import { StoreFailure } from '../../store-failure.ts'
import type { Caller } from '../access/caller.ts'
import { noticeToWire } from './notice-records.ts'

/** The caller may no longer follow the notices. */
export class AccessEnded extends Error {
  override readonly name = 'AccessEnded'
}

const GOING_AWAY = 1001
const UNSUPPORTED_DATA = 1003
const POLICY_VIOLATION = 1008
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013

/** With more queued bytes than this, the next notice waits. */
const BUFFER_BYTES = 2 ** 20
/** How long it waits until the half of them is sent. */
const PATIENCE_MS = 10_000
const POLL_MS = 20

export interface NoticeSocketOptions {
  readonly caller: Caller
  /** Gives the notices until the signal aborts. Rejects with {@link AccessEnded} too. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<StoredNotice>
  /** Must not throw. */
  readonly onFault: (error: unknown) => void
}

/** Sends notices to a socket until either side closes it. */
export function sendNotices(socket: Socket, { caller, follow, onFault }: NoticeSocketOptions): void {
  const closed = new AbortController()
  const { signal } = closed
  socket.onClose(() => closed.abort())
  socket.onMessage((message) => {
    if (typeof message !== 'string') socket.close(UNSUPPORTED_DATA, 'Binary messages are not supported')
  })

  async function send(): Promise<void> {
    for await (const stored of follow(signal)) {
      socket.send(exactJson(noticeToWire(stored, caller)))
      if (!(await isRead(socket, signal))) return socket.close(TRY_AGAIN_LATER, 'The reader does not keep up')
    }
    socket.close(GOING_AWAY, 'The storage is shutting down')
  }

  send().catch((error: unknown) => {
    if (error instanceof AccessEnded) return socket.close(POLICY_VIOLATION, 'The access has ended')
    onFault(error)
    if (StoreFailure.is(error)) socket.close(TRY_AGAIN_LATER, 'The store is unavailable')
    else socket.close(INTERNAL_ERROR)
  })
}

/** Whether the client reads what is queued. A socket that closes in the meantime counts as read. */
async function isRead(socket: Socket, signal: AbortSignal): Promise<boolean> {
  if (socket.bufferedBytes <= BUFFER_BYTES) return true
  for (let waited = 0; waited < PATIENCE_MS && !signal.aborted; waited += POLL_MS) {
    await pause(timerScheduler, POLL_MS, signal)
    if (socket.bufferedBytes <= BUFFER_BYTES / 2) return true
  }
  return signal.aborted
}
