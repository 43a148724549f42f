import type { FuzzRequest } from '../fuzz-request.ts'

/** A request that can still be taken apart. */
export interface RequestParts {
  readonly operation: string
  readonly method: string
  /** Of the path, each as it goes over the wire. */
  readonly segments: readonly string[]
  /** As they go over the wire. */
  readonly query: readonly string[]
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** One character is one byte. */
  readonly body: string | undefined
  /** One character is one byte. */
  readonly frames: string | undefined
}

export const assemble = ({ operation, method, segments, query, headers, body, frames }: RequestParts): FuzzRequest => ({
  operation,
  method,
  target: `/${segments.join('/')}${query.length === 0 ? '' : `?${query.join('&')}`}`,
  headers,
  body,
  frames,
})

/** Percent-encodes whatever a text has, halves of characters too. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed())
