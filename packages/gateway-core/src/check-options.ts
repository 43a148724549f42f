/** The names of all options of a function. One that is absent or does not exist does not compile. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

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
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && !Object.hasOwn(known, option)) {
      throw new TypeError(`${name} has no option '${option}'.`)
    }
  }
}
