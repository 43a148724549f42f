/** The least length of a password, in characters. */
export const MIN_LENGTH = 12
/** The least number of characters that remain once common words, rows and repetitions are removed. */
export const MIN_REST = 6

/** The most common words in lists of passwords. A longer word comes before one that it contains. */
const COMMON = new RegExp(
  [
    ...['administrator', 'admin', 'root', 'user', 'guest', 'login', 'server', 'network', 'trivium'],
    ...['passwords?', 'passw0rd', 'passwort', 'passwd', 'pass', 'secret', 'changeme', 'default', 'letmein', 'welcome'],
    ...['iloveyou', 'hello', 'master', 'monkey', 'dragon', 'sunshine', 'princess', 'shadow', 'superman', 'batman'],
    ...['football', 'baseball', 'trustno1', 'whatever', 'starwars', 'freedom', 'test'],
    ...['spring', 'summer', 'autumn', 'winter', 'january', 'february', 'march', 'april', 'june', 'july', 'august'],
    ...['september', 'october', 'november', 'december', '(19|20)\\d\\d'],
  ].join('|'),
  'g',
)

/** Rows of keys, of the alphabet and of digits, in both directions. */
const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', '!@#$%^&*()'],
  ...['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn'],
].flatMap((row) => [row, [...row].reverse().join('')])

const MIN_RUN = 3

/** Removes each run of 3 or more characters along a row. */
function withoutRuns(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    let end = at + 1
    while (end < text.length && ROWS.some((row) => row.includes(text.slice(at, end + 1)))) end += 1
    if (end - at < MIN_RUN) end = at + 1
    if (end - at < MIN_RUN) rest += text[at]
    at = end
  }
  return rest
}

const REPEATED = /(.+?)\1+/g

/**
 * Returns whether a password is easy to guess: too short, or little more than common words, years, rows of keys and
 * repetitions. `false` does not mean that it is strong.
 */
export function isWeak(password: string): boolean {
  if (password.length < MIN_LENGTH) return true
  const rest = withoutRuns(password.toLowerCase().replaceAll(COMMON, '').replaceAll(REPEATED, '$1'))
  return rest.length < MIN_REST
}
