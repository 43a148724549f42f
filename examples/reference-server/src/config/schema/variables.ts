import * as v from 'valibot'

/** The value of a variable in the file. A list stands for its entries, separated by commas. */
export const variable = v.union(
  [v.string(), v.number(), v.boolean(), v.pipe(v.array(v.string()), v.maxLength(1000))],
  'must be text, a number, true, false or a list of texts',
)
