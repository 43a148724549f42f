/** Takes a time that depends on `given` alone: where the texts differ, and how long `expected` is, does not show. */
export function sameText(given: string, expected: string): boolean {
  let difference = given.length ^ expected.length
  for (let index = 0; index < given.length; index += 1) {
    difference |= given.charCodeAt(index) ^ expected.charCodeAt(index % expected.length)
  }
  return difference === 0
}
