import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalDocument } from '@trivium/search-engines/local'

const root = join(import.meta.dirname, '../../../..')
const PUBLISHED = 'https://github.com/trivium-services/trivium/blob/main'

/** The documents that the local search engine of this server searches: Trivium's own. */
export function triviumDocuments(): readonly LocalDocument[] {
  return globSync(['README.md', 'docs/*.md', 'packages/*/README.md'], { cwd: root }).map((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return { url: `${PUBLISHED}/${file}`, title: /^# (.+)$/m.exec(text)?.[1] ?? file, body: text }
  })
}
