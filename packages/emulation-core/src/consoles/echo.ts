/** How many characters of the end of a command an echo has to show. Devices scroll a long line sideways. */
const TAIL = 16

/**
 * Returns whether a first line is the echo of a command, possibly after a prompt. Spaces are not compared: shells insert
 * some where a long line wraps.
 */
export function isEcho(line: string, command: string): boolean {
  const typed = compact(command)
  const echoed = compact(line)
  return typed === '' ? echoed === '' : echoed.endsWith(typed.length > 4 * TAIL ? typed.slice(-TAIL) : typed)
}

/** Returns whether a first line is an echo that has not ended yet. */
export const isPartOfEcho = (line: string, command: string): boolean =>
  compact(command).startsWith(compact(line)) || isEcho(line, command)

const compact = (text: string) => text.replaceAll(/\s/g, '')
