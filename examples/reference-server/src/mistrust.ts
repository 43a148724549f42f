/** What the operating system says of a file or directory. */
export interface Ownership {
  readonly uid: number
  readonly mode: number
}

const WRITABLE_BY_OTHERS = 0o022
const STICKY_DIRECTORY = 0o41000

/**
 * Why another user decides what is in a file or directory; `undefined` where only this user and root do, or where the
 * operating system has no users. A sticky directory keeps others from what they did not make.
 */
export function mistrust({ uid, mode }: Ownership, userId: number | undefined): 'owner' | 'writers' | undefined {
  if (userId === undefined) return undefined
  if (uid !== userId && uid !== ROOT) return 'owner'
  if ((mode & STICKY_DIRECTORY) === STICKY_DIRECTORY) return undefined
  return (mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'writers'
}

const ROOT = 0
