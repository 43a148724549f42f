/** The longest name of a tool that every upstream accepts. */
export const MAX_NAME = 64

/** The room for an underscore and a number. */
const NUMBER = 6

/**
 * Gives names of at most 64 characters, each once. Each costs about the same, also where a client has chosen thousands
 * that become one name.
 */
export class UniqueNames {
  readonly #taken: Set<string>
  /** The last number after each beginning. */
  readonly #numbers = new Map<string, number>()

  /** @param taken names that are never given */
  constructor(taken: readonly string[] = []) {
    this.#taken = new Set(taken)
  }

  has(name: string): boolean {
    return this.#taken.has(name)
  }

  /** Returns the name, or its beginning with the next number where it is taken. */
  take(name: string): string {
    const unique = this.#taken.has(name) ? this.#numbered(name.slice(0, MAX_NAME - NUMBER)) : name
    this.#taken.add(unique)
    return unique
  }

  #numbered(beginning: string): string {
    let number = this.#numbers.get(beginning) ?? 1
    do number += 1
    while (this.#taken.has(`${beginning}_${number}`))
    this.#numbers.set(beginning, number)
    return `${beginning}_${number}`
  }
}
