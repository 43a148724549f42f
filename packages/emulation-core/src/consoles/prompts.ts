/** A line that asks who logs in. */
const LOGIN = /(?:login|user ?name|password) ?:$/i

/** The end of a page of output, as `more` and routers show it. */
const PAGER = /--\s?more\b.{0,40}$/i

/** The characters that end prompts of shells and devices. */
const PROMPT_ENDS = '#>$%'

/** Returns whether a last line asks for a name or a password. */
export const isLogin = (line: string): boolean => LOGIN.test(line.slice(-40))

/** Returns whether a last line waits for a key that shows the next page. */
export const isPager = (line: string): boolean => PAGER.test(line.slice(-80))

/**
 * Returns whether a last line is probably the prompt of the same device after its mode, directory or user has changed,
 * such as `R1(config)#` after `R1#`: the first word is the same, and the line ends as prompts do.
 */
export function isChangedPrompt(line: string, prompt: string): boolean {
  const end = line.at(-1)
  if (end === undefined || firstWord(line) !== firstWord(prompt)) return false
  return end === prompt.at(-1) || PROMPT_ENDS.includes(end)
}

/** The first word that is not a part of a path, usually the name of the device or the user. */
const firstWord = (line: string) => /[\p{L}\p{N}_.-]+/u.exec(line.slice(0, 200).replace(/[~/]\S*/, ''))?.[0] ?? ''
