import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findMisspellings } from './find-misspellings.ts'
import { findPoorTitles } from './find-poor-titles.ts'
import { findTerms } from './find-terms.ts'
import type { Finding } from './finding.ts'
import type { Found } from './found.ts'
import { markdownPassages } from './markdown-passages.ts'
import { lineAt, type Passage } from './passage.ts'
import { sourcePassages } from './source-passages.ts'

const CACHE = 'node_modules/.cache/trivium-prose.json'

/** Findings by the digest of a file's name and text. */
type Cache = Readonly<Record<string, readonly Finding[]>>

const digest = (...texts: readonly string[]): string =>
  createHash('sha256').update(texts.join('\0')).digest('base64url')

/** Returns a digest of everything on which findings depend, except the file itself. */
const rules = (): string =>
  digest(
    ...['cspell.json', 'dictionary.txt', 'package-lock.json', ...globSync('scripts/prose/**/*').toSorted()]
      .filter((file) => /\.\w+$/.test(file))
      .map((file) => readFileSync(file, 'utf8')),
  )

function readCache(): Cache {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'))
  } catch {
    return {}
  }
}

interface Located {
  readonly file: string
  readonly passage: Passage
}

async function examine(passages: readonly Located[]): Promise<readonly Finding[]> {
  if (passages.length === 0) return []
  const titles = passages.filter(({ passage }) => passage.kind === 'title')
  const locate = (among: readonly Located[], found: readonly Found[]): readonly Finding[] =>
    found.flatMap(({ rule, index, offset, message }) => {
      const place = among[index]
      return place ? [{ file: place.file, line: lineAt(place.passage, offset), rule, message }] : []
    })
  const texts = passages.map(({ passage }) => passage.text)
  return [
    ...locate(passages, await findTerms(texts)),
    ...locate(passages, await findMisspellings(texts)),
    ...locate(titles, findPoorTitles(titles.map(({ passage }) => passage.text))),
  ]
}

/** Returns the findings of the files, in their order. Files that did not change since the last run are not checked again. */
export async function findingsOf(files: readonly string[]): Promise<readonly Finding[]> {
  const before = readCache()
  const salt = rules()
  const texts = files.map((file) => {
    const text = readFileSync(file, 'utf8')
    return { file, text, key: digest(salt, file, text) }
  })
  const changed = texts.filter(({ key }) => !before[key])
  const fresh = await examine(
    changed.flatMap(({ file, text }) =>
      (file.endsWith('.md') ? markdownPassages(text) : sourcePassages(file, text)).map((passage) => ({
        file,
        passage,
      })),
    ),
  )
  const byFile = Map.groupBy(fresh, ({ file }) => file)
  const after: Cache = Object.fromEntries(
    texts.map(({ file, key }) => [
      key,
      before[key] ?? (byFile.get(file) ?? []).toSorted((one, other) => one.line - other.line),
    ]),
  )
  mkdirSync(dirname(CACHE), { recursive: true })
  writeFileSync(CACHE, JSON.stringify(after))
  return texts.flatMap(({ key }) => after[key] ?? [])
}
