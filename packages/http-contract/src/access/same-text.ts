/**
 * Compares two texts in a time that depends only on the length of `given`, not on `expected` or the first difference.
 */
export function sameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < given.length; index += 1) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index % expected.length)
  }
  return difference === 0
}
