import type { ResponseBody, Route, SocketRoute } from '@trivium/http-contract'

/** A service whose interface is fuzzed. */
export interface FuzzTarget {
  readonly name: string
  /** A new one, in memory, with real objects. The objects and their ids are the same each time. */
  open(): Promise<OpenTarget>
}

export interface OpenTarget {
  /** What its OpenAPI document is made of: requests are made from it, and answers are held to it. */
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** What a socket may be refused with. */
  readonly socketRefusals: Readonly<Record<number, ResponseBody>>
  /** Credentials that are sent with most requests. */
  readonly authorizations: readonly string[]
  /** Values that mean something, by the name of a parameter or the dotted path of a field, or its end. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** Operations that are asked for once where others are a hundred times: they start programs, or draw pictures. */
  readonly costly: readonly string[]
  /** Operations whose answers need not end. */
  readonly endless: readonly string[]
  /** What the service called a fault since it was opened: there should be none. */
  readonly faults: unknown[]
  /** Before each request: moves the clock on. */
  tick(): void
  /** Whether a store fails for this request on purpose: 503 is right then, and so are faults. @default false */
  readonly isStoreAway?: boolean
  /** Now and then: brings back what requests have deleted. */
  tend(): Promise<void>
  /** What is wrong outside of the answers, such as files where none belong. */
  inspect(): Promise<readonly string[]>
  close(): Promise<void>
}
