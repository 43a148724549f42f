import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Option } from '../scripts/options/option-reference.ts'
import { optionPages } from '../scripts/options/pages.ts'
import { readOptionReference } from '../scripts/options/read-option-reference.ts'

const reference = readOptionReference()
const pages = optionPages(reference)

const tables = [...reference.functions.flatMap((group) => group.tables), ...reference.sharedTypes]
const options = tables.flatMap((table) => (table.kind === 'table' ? table.options : []))

const placesOf = (found: readonly Option[]) => found.map(({ path, file }) => `${path} (${file})`)

describe('the options reference', () => {
  it.each(Object.entries(pages))('%s matches the sources: else run `npm run docs:options`', (file, text) => {
    expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(text)
  })

  it('has no page that is no longer written', () => {
    expect(globSync('docs/options/*.md').filter((file) => !(file in pages))).toEqual([])
  })

  it.each([
    ['docs/options/gateway.md', 'search.cacheEntries'],
    ['docs/options/gateway.md', 'models.*.targets[].weight'],
    ['docs/options/emulation.md', 'limits.captureDays'],
    ['docs/options/storage.md', 'volumes[].svm'],
    ['docs/options/repositories.md', 'durability'],
    ['docs/options/http.md', 'headSeconds'],
    ['docs/options/http.md', 'basePath'],
    ['docs/options/providers.md', 'modelKind'],
  ])('%s lists `%s`', (file, path) => {
    expect(pages[file]).toContain(`\n| \`${path}\` |`)
  })

  it('finds the meaning of every option in its doc comment', () => {
    expect(placesOf(options.filter(({ meaning }) => meaning === ''))).toEqual([])
  })

  it('finds the `@default` of every option that can be left out', () => {
    const silent = options.filter((option) => !option.required && !option.consistsOfDefaults && !option.default)
    expect(placesOf(silent)).toEqual([])
  })

  it('finds what every function with options does', () => {
    const functions = reference.functions.flatMap((group) => group.functions)
    expect(functions.filter(({ summary }) => summary === '')).toEqual([])
    expect(functions.length).toBeGreaterThan(50)
  })

  it('links every README of a package with options to them', () => {
    const packages = new Set(reference.functions.map((group) => group.package))
    const silent = [...packages].filter(
      (name) => !readFileSync(`packages/${name}/README.md`, 'utf8').includes('../../docs/options/'),
    )
    expect(silent).toEqual([])
  })
})

/** Returns the anchor that GitHub and the site give to a heading. */
const anchorOf = (title: string): string => title.toLowerCase().replaceAll('`', '').replaceAll(' ', '-')

const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => anchorOf(title))

describe('links to options', () => {
  const anchors = new Map(Object.entries(pages).map(([file, text]) => [file, new Set(anchorsOf(text))]))

  it.each(Object.entries(pages))('%s has a name of its own for each section', (file, text) => {
    expect(anchors.get(file)?.size).toBe(anchorsOf(text).length)
  })

  it.each([
    ...Object.keys(pages),
    ...globSync(['docs/*.md', 'packages/*/README.md']),
  ])('%s links to existing sections', (document) => {
    const text = pages[document] ?? readFileSync(document, 'utf8')
    const links = [...text.matchAll(/\]\((?:[^()#]*?(options\/)?(\w+)\.md)?#([\w-]+)\)/g)]
    const missing = links.filter(([, directory, page, anchor = '']) => {
      const target = page === undefined ? document : `docs/options/${page}.md`
      const isChecked = directory !== undefined || document.startsWith('docs/options/')
      return isChecked && anchors.has(target) && !anchors.get(target)?.has(anchor)
    })
    expect(missing.map(([link]) => link)).toEqual([])
  })
})
