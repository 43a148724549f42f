const MOST_NAMES = 20
const MOST_CHARACTERS = 1000

/** Lists the names of what the upstream did not get, at most 20 in 1,000 characters. Clients chose some of the names. */
export function omittedHeader(omitted: readonly string[]): string {
  const names = [...new Set(omitted)].slice(0, MOST_NAMES).map((name) => name.slice(0, 100).replace(UNSAFE, '_'))
  let list = ''
  for (const name of names) {
    const longer = list === '' ? name : `${list}, ${name}`
    if (longer.length > MOST_CHARACTERS) break
    list = longer
  }
  return list
}

/** All but visible ASCII, and the comma of the list. */
const UNSAFE = /[^!-+\--~]/g
