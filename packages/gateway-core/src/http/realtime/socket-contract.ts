import { defineSockets } from '@trivium/http-contract'
import * as v from 'valibot'
import { modelSchema } from '../../models/model-bounds.ts'

/** Sound is sent in pieces of at most 15 MiB of base64. */
const MESSAGE_LIMIT = 16 * 2 ** 20

/** The WebSockets of the gateway. */
export const gatewaySockets = defineSockets({
  connectRealtime: {
    path: '/v1/realtime',
    summary: 'Opens a realtime session with a model over WebSocket',
    description:
      'Messages pass unchanged between the client and the upstream of the model. The key is sent as a Bearer token or, by pages in a browser, as the subprotocol `openai-insecure-api-key.KEY` after `realtime`. A client secret takes the place of a key, and sets the model. The query must not have another one.',
    tags: ['Realtime'],
    query: v.object({ model: v.optional(modelSchema) }),
    messageLimit: MESSAGE_LIMIT,
  },
})

/** The name of a socket, as access rules use it. */
export type GatewaySocket = keyof typeof gatewaySockets
