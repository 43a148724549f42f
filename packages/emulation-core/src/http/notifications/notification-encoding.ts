import { encodeEvent } from '@trivium/http-contract'
import type { Notification } from './notifications.ts'

/** Whether the `Accept` header of the client names server-sent events. Otherwise it gets JSON lines. */
export const acceptsEventStream = (accept: string | undefined): boolean =>
  accept?.toLowerCase().includes('text/event-stream') ?? false

const encoder = new TextEncoder()

/** Encodes each notification as a JSON line, or as a server-sent event named after its action. */
export async function* encodeNotifications(
  source: AsyncIterable<Notification>,
  asEvents: boolean,
): AsyncGenerator<Uint8Array> {
  for await (const notification of source) {
    const text = asEvents ? encodeEvent(notification, notification.action) : `${JSON.stringify(notification)}\n`
    yield encoder.encode(text)
  }
}
