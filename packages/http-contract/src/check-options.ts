import { type FieldNames, unknownName } from './unknown-name.ts'

/** The names of all options of a function. */
export type OptionNames<Options> = FieldNames<Options>

/**
 * Checks that each option of a host exists. A host may be plain JavaScript, where a misspelt option would have no
 * effect. An option with the value `undefined` is absent. Values are not checked.
 *
 * @param name the function that gets the options
 * @throws TypeError if an option does not exist, or the options are not an object
 */
export function checkOptions<Options extends object>(
  name: string,
  options: Options,
  known: OptionNames<Options>,
): void {
  if (typeof options !== 'object' || options === null) throw new TypeError(`${name} needs options.`)
  const unknown = unknownName(options, known)
  if (unknown !== undefined) throw new TypeError(`${name} has no option '${unknown}'.`)
}
