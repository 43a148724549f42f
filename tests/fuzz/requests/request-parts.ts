import type { FuzzRequest } from '../fuzz-request.ts'

/** A request in parts, before it is assembled. */
export interface RequestParts {
  readonly operation: string
  readonly method: string
  /** The segments of the path, encoded. */
  readonly segments: readonly string[]
  /** The parameters, encoded. */
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

/** Percent-encodes any text, also one with lone surrogates. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed())
