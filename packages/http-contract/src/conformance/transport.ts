import type { Route } from '../route.ts'
import type { SocketRoute } from '../socket.ts'

/** The routes and options that a transport mounts for the suite. */
export interface TransportMount {
  /** The prefix of every path of the routes and the sockets. */
  readonly prefix: string
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** How long the running answers may continue when the host closes. */
  readonly graceSeconds: number
}

/** Carries messages between the suite and the `hostProbe` of a host in another process, in their order. */
export interface ProbeChannel {
  /** Sends a message, which has no line break, to `receive` of the probe. */
  readonly send: (message: string) => void
  /** Registers the one listener for what the probe sends. */
  readonly onMessage: (listener: (message: string) => void) => void
}

/** A host that listens on 127.0.0.1. */
export interface ServedTransport {
  readonly port: number
  /** Stops the host with its mounts, as on SIGTERM. Resolves when no connection of the mounts is open. */
  readonly close: () => Promise<unknown>
  /**
   * The messages of a host that serves `hostProbe` of `@trivium/http-contract/conformance/host` in another process.
   *
   * @default the host serves the routes and sockets of the mount in this process
   */
  readonly probe?: ProbeChannel
}

/** A part of the suite that depends on the host, not only on the adapter. */
export type SkippedPart = 'queued-request-abort' | 'undecodable-path' | 'get-body' | 'sockets' | 'closing'

/** A transport under test, and hosts that use it. */
export interface Transport {
  /** Precedes `as a transport` in the title of the suite. */
  readonly name: string
  /**
   * Parts of the suite that a host cannot pass, each with the reason why the adapter is not the cause.
   *
   * @default none
   */
  readonly except?: Readonly<Partial<Record<SkippedPart, string>>>
  /**
   * Single tests that a host cannot pass, by their titles, each with the reason. For hosts in runtimes whose own HTTP
   * server decides what the test checks. A title that no test has is a failure.
   *
   * @default none
   */
  readonly exceptTests?: Readonly<Record<string, string>>
  /**
   * Starts a host that serves the mount and a route of its own: `GET /host` answers `host`. It answers other requests
   * with 404.
   */
  readonly serve: (mount: TransportMount) => Promise<ServedTransport>
  /** Starts the same host with its compression middleware before all routes. @default compression is not tested */
  readonly serveCompressed?: (mount: TransportMount) => Promise<ServedTransport>
}
