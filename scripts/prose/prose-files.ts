import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Changelogs are made of changesets, which were read as such. */
const isRead = (file: string): boolean => /\.(?:tsx?|js|md)$/.test(file) && !file.endsWith('CHANGELOG.md')

/** Every source and document of the repository, new ones included; nothing that git ignores. */
export const proseFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => isRead(file) && existsSync(file))
    .toSorted()

/** What a file is counted with: its package or example, else its folder, `.` for the root's own files. */
export const areaOf = (file: string): string => /^(?:packages|examples)\/[^/]+|^[^/]+(?=\/)/.exec(file)?.[0] ?? '.'
