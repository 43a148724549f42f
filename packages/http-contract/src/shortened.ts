/** Texts of a request are cut to this length where an error repeats them. */
const LONGEST_TEXT = 300

/** Cuts a text that is longer than `longest` UTF-16 units, and adds `…`. @default 300 */
export const shortened = (text: string, longest = LONGEST_TEXT): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`
