/** The owner and mode of a file or directory. */
export interface Ownership {
  readonly uid: number
  readonly mode: number
}

const WRITABLE_BY_OTHERS = 0o022
const STICKY_DIRECTORY = 0o41000

/**
 * Returns why another user can change what is in a file or directory; `undefined` where only this user and root can, or
 * where the operating system has no users. In a sticky directory a user can replace only files of their own.
 */
export function ownershipProblem(
  { uid, mode }: Ownership,
  userId: number | undefined,
): 'owner' | 'writers' | undefined {
  if (userId === undefined) return undefined
  if (uid !== userId && uid !== ROOT) return 'owner'
  if ((mode & STICKY_DIRECTORY) === STICKY_DIRECTORY) return undefined
  return (mode & WRITABLE_BY_OTHERS) === 0 ? undefined : 'writers'
}

const ROOT = 0
