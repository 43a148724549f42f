import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import { invalidParameter } from '../providers/refused-parameter.ts'
import { fromBase64, toBase64 } from './base64-text.ts'
import type { JsonObject } from './dialect.ts'
import { JsonAllowance, MOST_CHARACTERS, MOST_VALUES } from './json-allowance.ts'

/** Begins each text in which a client keeps what another dialect verifies. Upstreams send base64, which has no full stop. */
const TAG = 'trivium.'

/** Returns whether the gateway made a text, rather than an upstream. */
export const isSealed = (text: string): boolean => text.startsWith(TAG)

/** Encodes what a client keeps. It is not encrypted: the upstream verifies its own part. */
export const seal = (kept: JsonObject): string => TAG + toBase64(JSON.stringify(kept))

/** Opens the sealed texts of one request or answer. */
export class Seals {
  readonly #allowance = new JsonAllowance()
  #refused: string | undefined

  /** Returns what {@link seal} got. `undefined` for malformed texts, and beyond 4,194,304 characters or 30,000 values. */
  open(sealed: string, at = ''): JsonObject | undefined {
    const json = this.#allowance.admits(sealed.length) ? fromBase64(sealed.slice(TAG.length)) : undefined
    if (json === undefined || !this.#allowance.admitsValues(json)) {
      this.#refused ??= at
      return undefined
    }
    const value = parseJson(json)
    return isObject(value) ? value : undefined
  }

  /** @throws ProviderFailure where a request has more than is opened */
  refuseExcess(): void {
    if (this.#refused === undefined) return
    throw invalidParameter(
      this.#refused,
      `The reasoning that clients return must have at most ${MOST_CHARACTERS} characters and ${MOST_VALUES} values in all.`,
    )
  }
}
