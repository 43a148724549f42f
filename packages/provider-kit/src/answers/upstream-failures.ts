import type { ProviderErrorInit } from '@trivium/gateway-core/ports'

/** Failures between the gateway and any upstream, with the messages that clients get. */
export const upstreamFailures = {
  cancelled: { type: 'cancelled', message: 'The request was cancelled.' },
  unreachable: { type: 'unreachable', message: 'The upstream cannot be reached.' },
  connectTimedOut: { type: 'timed-out', phase: 'connect', message: 'The connection to the upstream took too long.' },
  interrupted: {
    type: 'interrupted',
    message: 'The upstream closed the connection before its answer was complete.',
  },
  unanswered: { type: 'interrupted', message: 'The upstream ended the connection without an answer.' },
  notHttp: { type: 'malformed', message: 'The upstream answered with something that is not HTTP.' },
  tooLarge: { type: 'malformed', message: 'The answer of the upstream is larger than the gateway accepts.' },
  compressed: {
    type: 'malformed',
    message: 'The upstream compressed its answer although it was asked not to.',
  },
  redirected: { type: 'malformed', message: 'The upstream answered with a redirect, which is not followed.' },
} as const satisfies Readonly<Record<string, ProviderErrorInit>>
