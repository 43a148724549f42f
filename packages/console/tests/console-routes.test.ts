import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fetchHandler } from '@trivium/fetch-adapter'
import { beforeAll, describe, expect, it } from 'vitest'
import { consoleRoutes } from '../src/index.ts'

const basic = (password: string) => ({ authorization: `Basic ${btoa(`admin:${password}`)}` })

const handle = fetchHandler(
  consoleRoutes({
    admin: ({ password }) => password === 'secret',
    version: '1.2.3',
    state: [{ name: 'Database', place: 'memory' }],
  }),
  { prefix: '/lab' },
)

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await handle(new Request(`http://host/lab${path}`, { headers, redirect: 'manual' }))
  if (!response) throw new Error(`no route for ${path}`)
  return response
}

describe('consoleRoutes', () => {
  let page = ''
  const linkedAssets = () => [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? '')

  beforeAll(async () => {
    page = await (await get('/console/')).text()
  })

  it('redirects to the page under any prefix', async () => {
    const { status, headers } = await get('/console')
    expect([status, headers.get('location')]).toEqual([308, 'console/'])
  })

  it('serves a page with a policy against foreign and inline content', async () => {
    const { headers } = await get('/console/')
    const policy = headers.get('content-security-policy')?.split('; ')
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data: blob:",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
    expect(page).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=|https?:/)
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('serves its files as immutable, in the best encoding that the browser accepts', async () => {
    const script = linkedAssets().find((file) => file.endsWith('.js')) ?? ''
    const plain = await get(`/console/${script}`)
    const text = await plain.text()
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(plain.headers.get('vary')).toBe('accept-encoding')
    for (const [accepted, encoding, decompress] of [
      ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
      ['br;q=0, gzip', 'gzip', gunzipSync],
    ] as const) {
      const compressed = await get(`/console/${script}`, { 'accept-encoding': accepted })
      expect(compressed.headers.get('content-encoding')).toBe(encoding)
      expect(String(decompress(new Uint8Array(await compressed.arrayBuffer())))).toBe(text)
    }
  })

  it.each([
    'nothing.js',
    '../package.json',
    'assets/../index.html',
    'assets%2f..%2f..%2fpackage.json',
    'index.html.br',
  ])('answers 404 for the file %s', async (file) => {
    const response = await handle(new Request(`http://host/lab/console/${encodeURIComponent(file)}`))
    expect(response?.status).toBe(404)
  })

  it.each([
    '/console/api/host',
    '/console/api/activities',
  ])('answers 401 for %s without the admin password', async (path) => {
    for (const headers of [{}, basic('guess')]) {
      const response = await get(path, headers)
      expect([response.status, await response.json()]).toEqual([
        401,
        { error: { message: 'This is not the admin password.' } },
      ])
    }
  })

  it('describes the host to the admin', async () => {
    const response = await get('/console/api/host', basic('secret'))
    expect(await response.json()).toMatchObject({
      version: '1.2.3',
      last_activity: 0,
      state: [{ name: 'Database', place: 'memory' }],
      services: {},
    })
  })

  it('ends the streams of open pages when the host stops', async () => {
    const stopped = fetchHandler(consoleRoutes({ authorize: { '*': 'open' } }))
    const response = await stopped(new Request('http://host/console/api/activities'))
    const [text] = await Promise.all([response?.text(), stopped.close()])
    expect(text).toBe('')
  })
})
