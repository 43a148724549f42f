import type { SearchQuery } from '@trivium/gateway-core/ports'
import { describe, expect, it } from 'vitest'
import { search } from '../../tests/searches.ts'
import { excerpt } from './excerpt.ts'
import { type LocalDocument, localSearch } from './local-search.ts'

const documents: readonly LocalDocument[] = [
  {
    url: 'https://example.com/cats',
    title: 'Cats',
    body: 'All about cats: how they sleep, how they hunt and what they eat.',
    image: { url: 'https://example.com/cat.png', width: 640, height: 480 },
    publishedAt: new Date('2026-01-15T14:30:00Z'),
    source: 'Example',
  },
  {
    url: 'https://example.com/dogs',
    title: 'Dogs',
    body: 'Dogs and their friends, the cats.',
    image: { url: 'https://example.com/dog.png', thumbnail: 'https://example.com/dog-small.png' },
  },
  { url: 'https://example.com/planes', title: 'Planes', body: 'Wings and jets.', publishedAt: new Date(0) },
  { url: 'https://example.com/wild', title: 'Wild cats', body: 'Not for children.', explicit: true },
]

async function hrefs(engine: ReturnType<typeof localSearch>, text: string, more = {}) {
  const found = await search(engine, { text, ...more })
  return found.type === 'text' ? found.results.map(({ href }) => href.slice('https://example.com/'.length)) : []
}

describe('localSearch', () => {
  const engine = localSearch({ documents })

  it('sorts the best documents first', async () => {
    expect(await search(engine, { text: 'cats' })).toEqual({
      type: 'text',
      results: [
        {
          title: 'Cats',
          href: 'https://example.com/cats',
          body: 'All about cats: how they sleep, how they hunt and what they eat.',
        },
        { title: 'Dogs', href: 'https://example.com/dogs', body: 'Dogs and their friends, the cats.' },
      ],
    })
  })

  it.each([
    ['hunt', ['cats']],
    ['plan', ['planes']],
    ['plnes', ['planes']],
    ['wings', ['planes']],
    ['submarine', []],
    ['', []],
  ])('finds documents with %j', async (text, expected) => {
    expect(await hrefs(engine, text)).toEqual(expected)
  })

  it('finds explicit documents only with safe search off', async () => {
    expect(await hrefs(engine, 'wild', { safeSearch: 'on' })).not.toContain('wild')
    expect(await hrefs(engine, 'wild')).not.toContain('wild')
    expect(await hrefs(engine, 'wild', { safeSearch: 'off' })).toContain('wild')
  })

  it('returns no more results than requested', async () => {
    expect(await hrefs(engine, 'cats', { maxResults: 1 })).toEqual(['cats'])
  })

  it('finds documents with a date as news', async () => {
    expect(await search(engine, { text: 'cats', type: 'news' })).toEqual({
      type: 'news',
      results: [
        {
          date: '2026-01-15T14:30:00.000Z',
          title: 'Cats',
          body: 'All about cats: how they sleep, how they hunt and what they eat.',
          url: 'https://example.com/cats',
          image: 'https://example.com/cat.png',
          source: 'Example',
        },
      ],
    })
  })

  it('finds documents with an image as images', async () => {
    expect(await search(engine, { text: 'cats', type: 'images' })).toEqual({
      type: 'images',
      results: [
        {
          title: 'Cats',
          image: 'https://example.com/cat.png',
          thumbnail: 'https://example.com/cat.png',
          url: 'https://example.com/cats',
          height: 480,
          width: 640,
          source: 'Example',
        },
        {
          title: 'Dogs',
          image: 'https://example.com/dog.png',
          thumbnail: 'https://example.com/dog-small.png',
          url: 'https://example.com/dogs',
          height: null,
          width: null,
          source: 'example.com',
        },
      ],
    })
  })

  it('returns suggestions', async () => {
    const found = await search(engine, { text: 'pla', type: 'suggestions' })
    expect(found.results).toContainEqual({ phrase: 'planes' })
  })

  it.each<[string, Partial<SearchQuery>, readonly string[]]>([
    ['h', {}, ['hunt', 'how']],
    ['they H', {}, ['they hunt', 'they how']],
    ['their c', {}, ['their cats']],
    ['jets.wi', {}, ['jets.wings']],
    ['plnes', {}, ['planes']],
    ['submarine w', {}, []],
    ['...', {}, []],
    ['w', {}, ['wings', 'what']],
    ['chil', {}, []],
    ['chil', { safeSearch: 'off' }, ['children']],
    ['h', { maxResults: 1 }, ['hunt']],
  ])('completes the last word of %j, %j', async (text, more, phrases) => {
    const { results } = await search(engine, { text, type: 'suggestions', ...more })
    expect(results).toEqual(phrases.map((phrase) => ({ phrase })))
  })

  it('adds, replaces and removes documents', async () => {
    const changing = localSearch()
    expect(await hrefs(changing, 'cats')).toEqual([])
    changing.add(documents)
    changing.add([{ url: 'https://example.com/dogs', title: 'Dogs', body: 'Only dogs.' }])
    expect(changing.size).toBe(4)
    expect(await hrefs(changing, 'friends')).toEqual([])
    expect(await hrefs(changing, 'dogs')).toEqual(['dogs'])
    expect(changing.remove('https://example.com/dogs')).toBe(true)
    expect(changing.remove('https://example.com/dogs')).toBe(false)
    expect(await hrefs(changing, 'dogs')).toEqual([])
  })
})

describe('excerpt', () => {
  const words = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')

  it('returns the whole of a short text', () => {
    expect(excerpt(' a \n b ', ['b'])).toBe('a b')
  })

  it('returns the text around the first term, cut between words', () => {
    const found = excerpt(words, ['word150', 'nowhere', 'word100'])
    expect(found).toMatch(/^… word\d+ .*word100.* word\d+ …$/)
    expect(found.length).toBeLessThan(320)
  })

  it('returns the beginning if the text has no term, and the end if the term is near it', () => {
    expect(excerpt(words, [])).toMatch(/^word0 .* …$/)
    expect(excerpt(words, ['word199'])).toMatch(/^… word.* word199$/)
    expect(excerpt('x'.repeat(1000), ['x']).length).toBeLessThan(320)
  })
})
