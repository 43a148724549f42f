import { err, ok, type Result } from 'neverthrow'
import { isObject } from '../chat/is-object.ts'
import { parseJson } from '../chat/parse-json.ts'
import { isTooDeep } from '../nesting.ts'
import type { JsonObject } from './dialect.ts'
import { JsonAllowance, MOST_CHARACTERS, MOST_VALUES } from './json-allowance.ts'

const EXCESS = `The arguments of all calls must have at most ${MOST_VALUES} values and ${MOST_CHARACTERS} characters with this model, and must not be nested too deeply.`

/** The member that holds arguments which are not an object: the form that Anthropic's documents advise for them. */
const INVALID = 'INVALID_JSON'

/** Parses the arguments of the calls of one request or answer. */
export class CallArguments {
  readonly #allowance = new JsonAllowance()

  /**
   * Returns the object that a call has as its arguments: an empty one for no text, and what is not the JSON of an object,
   * such as arguments that were cut, as the member `INVALID_JSON`. The error is a sentence for the client, where all
   * arguments together have more than 4,194,304 characters or 30,000 values, or are nested more than 256 levels deep.
   */
  parse(text: string): Result<JsonObject, string> {
    if (!this.#allowance.admits(text.length) || !this.#allowance.admitsValues(text)) return err(EXCESS)
    const value = text.trim() === '' ? {} : parseJson(text)
    if (!isObject(value)) return ok(invalidArguments(text))
    return isTooDeep(value) ? err(EXCESS) : ok(value)
  }
}

/** Returns arguments that are not the JSON of an object as an object that no tool takes for its own. */
export const invalidArguments = (text: string): JsonObject => ({ [INVALID]: text })
