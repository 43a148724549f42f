import type { RealtimeProvider } from '@trivium/gateway-core/ports'
import { type Dispatcher, openWebSocket } from '@trivium/provider-kit'

export interface RealtimeOverOptions {
  readonly baseUrl: string
  /** Headers of the handshake, in any case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly dispatcher: Dispatcher | undefined
}

/** Sessions at `/realtime` below the base URL, with the model in the query. */
export function realtimeOver({ baseUrl, headers, dispatcher }: RealtimeOverOptions): RealtimeProvider {
  const own = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as const],
  )
  return {
    open: ({ model }, receiver, context) => {
      const url = new URL(`${baseUrl.replace(/\/+$/, '')}/realtime`)
      url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
      url.searchParams.set('model', model)
      const sent = { ...context.headers, 'x-request-id': context.requestId, ...Object.fromEntries(own) }
      return openWebSocket({ url, headers: sent, dispatcher }, receiver, context)
    },
  }
}
