import type { ResponseBody, Route, SocketRoute } from '@trivium/http-contract'

/** A service whose interface is fuzzed. */
export interface FuzzTarget {
  readonly name: string
  /** Opens a new service in memory, with objects. The objects and their ids are the same each time. */
  open(): Promise<OpenTarget>
}

export interface OpenTarget {
  /** The routes of its OpenAPI document, from which requests are made and against which answers are checked. */
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** The declared refusals of sockets. */
  readonly socketRefusals: Readonly<Record<number, ResponseBody>>
  /** Credentials that are sent with most requests. */
  readonly authorizations: readonly string[]
  /** Meaningful values, such as ids of existing objects, by the name of a parameter or the dotted path of a field, or its end. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
  /** Operations that are called a hundred times less often than others, because they start programs or generate images. */
  readonly costly: readonly string[]
  /** Operations whose answers can have no end. */
  readonly endless: readonly string[]
  /** The faults that the service has reported since it was opened. Each is a finding. */
  readonly faults: unknown[]
  /** Advances the clock. Called before each request. */
  advance(): void
  /** Whether a store fails for this request on purpose. A 503 and faults are correct then. @default false */
  readonly isStoreUnavailable?: boolean
  /** Restores objects that requests have deleted. Called every 100 requests. */
  restore(): Promise<void>
  /** Returns problems outside of the answers, such as files outside their directories. */
  inspect(): Promise<readonly string[]>
  close(): Promise<void>
}
