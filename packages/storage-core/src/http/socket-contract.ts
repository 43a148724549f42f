import { defineSockets } from '@trivium/http-contract'
import * as v from 'valibot'

/** Decimal digits of a whole number up to 2^53 - 1. */
const wholeText = v.pipe(
  v.string(),
  v.regex(/^\d{1,16}$/, 'a whole number from 0 to 2^53 - 1 is expected'),
  v.transform(Number),
  v.maxValue(Number.MAX_SAFE_INTEGER, 'a whole number from 0 to 2^53 - 1 is expected'),
)

/** The WebSockets of the storage interface. */
export const storageSockets = defineSockets({
  openNotices: {
    path: '/api/support/events/ws',
    summary: 'Follows the notices over WebSocket',
    description:
      'Each message is a text: a record of `GET /api/support/events` with all of its fields, in the order of `index`. Without `after` they begin with the next notice. With it, stored notices with a larger `index` come first, so that a client that was cut off continues after the last one that it has. Messages of the client are ignored.',
    tags: ['events'],
    query: v.strictObject({ after: v.optional(wholeText) }),
    messageLimit: 1024,
  },
})

/** The name of a socket, as access rules use it. */
export type StorageSocket = keyof typeof storageSockets
