/** How long a password is at least. */
export const LEAST_LENGTH = 12
/** How much of one is there at least beside what lists have. */
export const LEAST_REST = 6

/** What the lists of those who guess begin with, longer words first where one holds another. */
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

/** What is typed along a row: of keys, of the alphabet, of digits. */
const ROWS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', '!@#$%^&*()'],
  ...['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', 'yxcvbnm', '1qaz2wsx3edc4rfv5tgb6yhn'],
].flatMap((row) => [row, [...row].reverse().join('')])

const LEAST_RUN = 3

/** Leaves out what is typed along a row, three characters and more. */
function withoutRuns(text: string): string {
  let rest = ''
  for (let at = 0; at < text.length; ) {
    let end = at + 1
    while (end < text.length && ROWS.some((row) => row.includes(text.slice(at, end + 1)))) end += 1
    if (end - at < LEAST_RUN) end = at + 1
    if (end - at < LEAST_RUN) rest += text[at]
    at = end
  }
  return rest
}

const REPEATED = /(.+?)\1+/g

/**
 * Whether a password is easy to guess: too short, or little more than common words, years, rows of keys and what is repeated.
 * What passes is not strong for that.
 */
export function isWeak(password: string): boolean {
  if (password.length < LEAST_LENGTH) return true
  const rest = withoutRuns(password.toLowerCase().replaceAll(COMMON, '').replaceAll(REPEATED, '$1'))
  return rest.length < LEAST_REST
}
