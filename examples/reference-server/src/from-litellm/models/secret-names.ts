import type { Variable } from '../output/draft.ts'

const SECRET_NAME =
  /(?:^|[-_ ])(?:api[-_]?key|[a-z]*key|token|secret|password|passwd|credentials?|authorization|cookie|signature)$/i
const SECRET_START = /^(?:sk-|pk-|rk-|bearer |basic |gh[a-z]_|github_pat_|xox|akia|asia|aiza|hf_|gsk_|eyj|-----begin)/i
/** Keys without a known beginning: long, without spaces, with letters and digits. */
const RANDOM = /^(?=[^a-z]*[a-z])(?=\D*\d)[\w+/=.~-]{24,}$/i
/** Headers whose values are public, and may be long names with a date. */
const PUBLIC_NAME = /^(?:anthropic-(?:beta|version)|openai-beta)$/i

/** Returns whether a text is, as far as its name and form show, a secret. */
export const isSecret = (name: string, text: string): boolean =>
  SECRET_NAME.test(name) || SECRET_START.test(text) || (RANDOM.test(text) && !PUBLIC_NAME.test(name))

/** Gives each secret of the input the name of a variable. */
export class SecretNames {
  readonly #names = new Map<string, string>()
  readonly #taken: Set<string>

  /** @param taken variables that hold other values */
  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken)
  }

  /** Returns the variable of a secret: the wanted name, or the next one with a number where another value has it. */
  variableFor(secret: string, wanted: string): Variable {
    const known = this.#names.get(secret)
    if (known !== undefined) return { variable: known }
    const base = wanted.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
    let variable = base
    for (let number = 2; this.#taken.has(variable); number += 1) variable = `${base}_${number}`
    this.#taken.add(variable)
    this.#names.set(secret, variable)
    return { variable }
  }
}
