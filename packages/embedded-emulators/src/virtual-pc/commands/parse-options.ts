export interface OptionSpec {
  readonly least: number
  readonly most: number
}

export type ParsedOptions =
  | {
      readonly type: 'parsed'
      /** The number of each option that has one. */
      readonly values: ReadonlyMap<string, number>
      /** Options without a number. */
      readonly flags: ReadonlySet<string>
      /** Words that are not options. */
      readonly rest: readonly string[]
    }
  | { readonly type: 'wrong'; readonly message: string }

/** Reads `-c 5`, `-c5` and `-t`. Options with a number are in `numbers`, those without in `flags`. */
export function parseOptions(
  words: readonly string[],
  numbers: Readonly<Record<string, OptionSpec>>,
  flags: readonly string[] = [],
): ParsedOptions {
  const values = new Map<string, number>()
  const found = new Set<string>()
  const rest: string[] = []
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (!/^-[a-zA-Z0-9]/.test(word)) {
      rest.push(word)
      continue
    }
    const name = word.slice(1, 2)
    if (flags.includes(name) && word.length === 2) {
      found.add(name)
      continue
    }
    const spec = Object.hasOwn(numbers, name) ? numbers[name] : undefined
    if (spec === undefined) return { type: 'wrong', message: `There is no option ${word}` }
    let text = word.slice(2)
    if (text === '') {
      index += 1
      text = words[index] ?? ''
    }
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    if (!(value >= spec.least && value <= spec.most)) {
      return { type: 'wrong', message: `Option -${name} takes a number from ${spec.least} to ${spec.most}` }
    }
    values.set(name, value)
  }
  return { type: 'parsed', values, flags: found, rest }
}
