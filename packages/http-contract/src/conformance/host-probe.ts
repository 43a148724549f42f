import * as v from 'valibot'
import type { Route } from '../route.ts'
import type { SocketRoute } from '../socket.ts'
import { createJournal } from './journal.ts'
import { createProbe } from './probe.ts'
import { type HostMessage, suiteMessage } from './probe-messages.ts'

/** The part of the suite in the process of a host, which another process tests. */
export interface HostProbe {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** Receives a message that the suite has sent. Messages arrive in their order. */
  readonly receive: (message: string) => void
}

/**
 * Creates what a host serves where the suite runs in another process, such as a host in Bun or Deno. The host carries the
 * messages, in their order and by any means, between this function and `probe` of the served transport. Create one for
 * each host that the suite starts.
 *
 * @param send sends a message, which has no line break, to the suite
 *
 * @example
 * ```ts
 * import { hostProbe } from '@trivium/http-contract/conformance/host'
 *
 * const { routes, receive } = hostProbe((message) => console.log(message))
 * process.stdin.setEncoding('utf8').on('data', (lines: string) => {
 *   for (const line of lines.trim().split('\n')) receive(line)
 * })
 * ```
 */
export function hostProbe(send: (message: string) => void): HostProbe {
  const journal = createJournal()
  const report = (message: HostMessage) => send(JSON.stringify(message))
  const { control, routes, sockets } = createProbe({
    ...journal,
    add: (entry) => {
      journal.add(entry)
      report({ entry })
    },
  })
  return {
    routes,
    sockets,
    receive: (text) => {
      const message = v.parse(suiteMessage, JSON.parse(text))
      if ('open' in message) control.open(message.open)
      else void control.produced().then((produced) => report({ answer: message.ask, produced }))
    },
  }
}
