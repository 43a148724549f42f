import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findMisspellings } from '../scripts/prose/find-misspellings.ts'
import { findPoorTitles } from '../scripts/prose/find-poor-titles.ts'
import { findTerms } from '../scripts/prose/find-terms.ts'
import { markdownPassages } from '../scripts/prose/markdown-passages.ts'
import { lineAt } from '../scripts/prose/passage.ts'
import { sourcePassages } from '../scripts/prose/source-passages.ts'
import { terms } from '../scripts/prose/terms.ts'
import { declaredNames } from './declared-names.ts'

/** The rules of the words that no name needs, in any of their meanings. */
const inNames = new Set(['tell', 'nobody', 'whoever', 'whatever', 'moment', 'anew', 'gone', 'mend', 'stranger'])

const page = readFileSync('docs/style.md', 'utf8')

const tableOf = (title: string): readonly (readonly string[])[] => {
  const [section = ''] = page.split(`## ${title}\n`)[1]?.split('\n## ') ?? []
  const rows = [...section.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.replaceAll('`', '').split(' | '))
  return rows.slice(1)
}

describe('the words to avoid', () => {
  it('lists the same words and replacements on the style page as in the data', () => {
    expect(tableOf('Words')).toEqual(terms.map(({ avoid, use }) => [avoid, use]))
  })

  it('finds every avoided word by its own rule', async () => {
    const words = terms.flatMap(({ rule, avoid }) => avoid.split(', ').map((word) => ({ rule, word })))
    const found = await findTerms(words.map(({ word }) => `The server ${word}.`))
    const missed = words.filter(({ rule }, index) => !found.some((one) => one.rule === rule && one.index === index))
    expect(missed).toEqual([])
  })

  it('recommends no word that is avoided', async () => {
    expect(await findTerms(terms.map(({ use }) => use.replace(/;[^;]*(?:stays|apart).*$/, '')))).toEqual([])
  })

  it.each([
    'A server behind a proxy sees its address.',
    'Nothing is left behind.',
    'A 410 Gone stands for it.',
    'There is no such key, and no more than ten.',
    'The key is over its limit.',
  ])('accepts %j', async (text) => {
    expect(await findTerms([text])).toEqual([])
  })
})

describe('test titles', () => {
  it.each([
    ...['draws', 'that breaks is broken', 'is closed to strangers', 'are cloned once', 'of nothing has a beginning'],
    ...['with its usage', 'it returns a key', 'is made by the host name, too', 'returns a key.'],
  ])('refuses %j', (title) => {
    expect(findPoorTitles([title])).not.toEqual([])
  })

  it.each([
    ...['returns 409 when the project exists', 'a switch forgets addresses', '%s', '$name compiles'],
    ...['has the same entries as its siblings', 'isolates VLANs'],
  ])('accepts %j', (title) => {
    expect(findPoorTitles([title])).toEqual([])
  })

  it('accepts the titles that the page calls good, and refuses those that it calls bad', () => {
    const [, , good = '', bad = ''] = tableOf('Forms').find(([text]) => text === 'test title') ?? []
    expect(findPoorTitles([good])).toEqual([])
    expect(findPoorTitles([bad.split(', ')[0] ?? '', bad])).not.toEqual([])
  })
})

it('finds misspelled words in texts', async () => {
  const found = await findMisspellings(['The qtree has a quota.', 'The behavoiur of a SVM.'])
  expect(found.map(({ index, offset }) => ({ index, offset }))).toEqual([{ index: 1, offset: 4 }])
})

describe('the prose of a file', () => {
  const source = [
    "import { a } from 'three words here'",
    '/** Reads the `told` words',
    ' * of a line. {@link told} */',
    "export const fault = () => new Error('The disk is full \\u00e9 now')",
    '// First line,',
    '// second line.',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the source of a template
    'export const at = (n: number) => `The port ${n} is taken`',
    "const path = '/a//b'",
  ].join('\n')

  it('contains the comments and messages of a source, without code', () => {
    const texts = sourcePassages('packages/x/src/x.ts', source).map(({ text }) => text)
    expect(texts).toEqual([
      'The disk is full now',
      'The port `` is taken',
      'Reads the `` words of a line. ``',
      'First line, second line.',
    ])
  })

  it('contains the line of every word', () => {
    const found = sourcePassages('packages/x/src/x.ts', source).find(({ text }) => text.startsWith('Reads'))
    expect(
      found && [0, found.text.indexOf('words'), found.text.indexOf('line')].map((at) => lineAt(found, at)),
    ).toEqual([2, 2, 3])
  })

  it('contains the titles of tests, and no other strings of them', () => {
    const text = "it.each([1])('counts %i', () => {})\nexpect('A text of words').toBe(1)"
    expect(sourcePassages('packages/x/src/x.test.ts', text)).toEqual([
      { kind: 'title', text: 'counts %i', lines: [1, 1] },
    ])
  })

  it('contains the paragraphs of a document, without code and front matter', () => {
    const text = '---\n"a": patch\n---\n\nA *w*ord\nand `told`.\n\n```sh\ntold\n```\n'
    expect(markdownPassages(text)).toEqual([{ kind: 'text', text: 'A word and ``.', lines: [5, 5, 6, 6] }])
  })
})

it('names nothing in code by a word to avoid', () => {
  const avoided = terms.flatMap(({ rule, avoid }) => (inNames.has(rule) ? avoid.split(', ') : []))
  const wordsOf = (name: string) => name.split(/(?<=[a-z0-9])(?=[A-Z])|_/).map((word) => word.toLowerCase())
  const found = globSync('{packages,examples,benchmarks,scripts,tests}/**/*.{ts,tsx}', {
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).flatMap((file) =>
    declaredNames(file, readFileSync(file, 'utf8'))
      .filter((name) => !name.startsWith('TRIVIUM_') && wordsOf(name).some((word) => avoided.includes(word)))
      .map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})
