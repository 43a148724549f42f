import { valuesIn } from './requests/json-values-in.ts'

/** The most characters and values of the JSON in texts of one request or answer, which is parsed in one turn. */
export const MOST_CHARACTERS = 2 ** 22
export const MOST_VALUES = 30_000

/** What may be parsed of the texts of one request or answer. A body counts each of them as one value. */
export class JsonAllowance {
  #characters = MOST_CHARACTERS
  #values = MOST_VALUES

  /** Counts a text that is not parsed yet. @returns whether all texts together are within the bounds */
  admits(characters: number): boolean {
    this.#characters -= characters
    return this.#characters >= 0
  }

  /** Counts the values of a text that is admitted. @returns whether all texts together are within the bounds */
  admitsValues(json: string): boolean {
    if (this.#values >= 0) this.#values -= valuesIn(json, this.#values)
    return this.#values >= 0
  }
}
