import { type EncodedJson, encodedJson, exactJson } from '@trivium/http-contract'
import type { Caller } from '../access/caller.ts'
import { type Failure, type FailureStatus, failureBody } from '../errors/failure.ts'

export interface JsonAnswer<Status extends number> {
  readonly status: Status
  readonly headers: Readonly<Record<string, string>>
  readonly body: EncodedJson
}

export type FailureAnswer = JsonAnswer<FailureStatus>

/** Encodes an answer as HAL or as plain JSON, as the client accepts it. */
export function jsonAnswer<Status extends number>(
  { links }: Pick<Caller, 'links'>,
  status: Status,
  body: unknown,
  { headers, pretty = false }: { readonly headers?: Readonly<Record<string, string>>; readonly pretty?: boolean } = {},
): JsonAnswer<Status> {
  const contentType = links ? 'application/hal+json' : 'application/json'
  return {
    status,
    headers: { 'content-type': contentType, ...headers },
    body: encodedJson(pretty ? `${exactJson(body, 2)}\n` : exactJson(body)),
  }
}

export const failureAnswer = (caller: Pick<Caller, 'links'>, failure: Failure): FailureAnswer =>
  jsonAnswer(caller, failure.status, failureBody(failure))
