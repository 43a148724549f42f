import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalDocument } from '@trivium/search-engines/local'

const root = join(import.meta.dirname, '../../../..')
const PUBLISHED = 'https://github.com/trivium-services/trivium/blob/main'

/** Reads the documents that the local search engine of this server searches: Trivium's own. */
export async function* triviumDocuments(): AsyncIterable<LocalDocument> {
  for await (const file of glob(['README.md', 'docs/*.md', 'packages/*/README.md'], { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8')
    yield { url: `${PUBLISHED}/${file}`, title: /^# (.+)$/m.exec(text)?.[1] ?? file, body: text }
  }
}
