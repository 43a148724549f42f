import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Returns whether a file is checked. Changelogs consist of changesets, which are checked themselves. */
const isRead = (file: string): boolean => /\.(?:tsx?|js|md)$/.test(file) && !file.endsWith('CHANGELOG.md')

/** Returns every source and document of the repository, with untracked ones and without those that git ignores. */
export const proseFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => isRead(file) && existsSync(file))
    .toSorted()
