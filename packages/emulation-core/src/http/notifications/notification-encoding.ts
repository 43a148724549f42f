import { encodeEvent } from '@trivium/http-contract'
import type { Notification } from './notifications.ts'

/** Whether the client would rather have server-sent events than lines: it names their type. */
export const wantsEventStream = (accept: string | undefined): boolean =>
  accept?.toLowerCase().includes('text/event-stream') ?? false

const encoder = new TextEncoder()

/** One notification a line, or one an event that is named after its action. */
export async function* encodeNotifications(
  source: AsyncIterable<Notification>,
  asEvents: boolean,
): AsyncGenerator<Uint8Array> {
  for await (const notification of source) {
    const text = asEvents ? encodeEvent(notification, notification.action) : `${JSON.stringify(notification)}\n`
    yield encoder.encode(text)
  }
}
