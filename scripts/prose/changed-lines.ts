import { execFileSync } from 'node:child_process'
import type { Finding } from './finding.ts'

/** Returns the output of git; `undefined` where it fails, as in a clone without the branch. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 2 ** 30 })
  } catch {
    return undefined
  }
}

/** The lines that differ from the base, as `FILE:LINE`, and the names of untracked files. */
export type ChangedLines = ReadonlySet<string>

/** Returns the lines that this branch and the working tree have changed since `origin/main`. */
export function changedLines(): ChangedLines {
  const changed = new Set(git('ls-files', '-z', '--others', '--exclude-standard')?.split('\0'))
  const base = git('merge-base', 'HEAD', 'origin/main')?.trim() ?? 'HEAD'
  let file = ''
  for (const line of git('diff', '--unified=0', '--find-renames', '--no-color', base)?.split('\n') ?? []) {
    file = /^\+\+\+ b\/(.*)$/.exec(line)?.[1] ?? file
    const [, from, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    for (let index = 0; from && index < Number(count); index++) changed.add(`${file}:${Number(from) + index}`)
  }
  return changed
}

export const isChanged = (lines: ChangedLines, { file, line }: Finding): boolean =>
  lines.has(file) || lines.has(`${file}:${line}`)
