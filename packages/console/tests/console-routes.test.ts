import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fetchHandler } from '@trivium/fetch-adapter'
import { createStorage } from '@trivium/storage-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consoleRoutes } from '../src/index.ts'

const basic = (password: string) => ({ authorization: `Basic ${btoa(`admin:${password}`)}` })

const storage = createStorage()
const handle = fetchHandler(
  consoleRoutes({
    admin: ({ password }) => password === 'secret',
    storage: { service: storage, baseUrl: './files/', description: 'in memory' },
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

const OWN_QUOTAS_BYTES = 115_000

const assetsOf = (html: string) =>
  [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file ?? '')

describe('consoleRoutes', () => {
  let page = ''

  afterAll(() => storage.close())

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
    const script = assetsOf(page).find((file) => file.endsWith('.js')) ?? ''
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
      services: { storage: { base_url: './files/', description: 'in memory' } },
    })
  })

  it('serves the page of own quotas to all callers, as small as a page of its own', async () => {
    const response = await get('/console/quotas.html', { 'accept-encoding': 'br' })
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; /)
    const quotas = String(brotliDecompressSync(new Uint8Array(await response.arrayBuffer())))
    expect(quotas).not.toMatch(/<style|<script(?![^>]* src=)|\sstyle=|\son\w+=|https?:/)
    expect(quotas).toContain('<html lang="en">')
    const sizes = await Promise.all(
      assetsOf(quotas).map(async (file) => {
        const asset = await get(`/console/${file}`, { 'accept-encoding': 'br' })
        expect([file, asset.status]).toEqual([file, 200])
        return (await asset.arrayBuffer()).byteLength
      }),
    )
    expect(sizes.length).toBeGreaterThan(3)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(OWN_QUOTAS_BYTES)
  })

  it('reports the address of the storage service to all callers, and no more', async () => {
    const response = await get('/console/api/quotas')
    expect([response.status, await response.json()]).toEqual([200, { base_url: './files/' }])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('answers 404 for the address of a storage service that the host does not have', async () => {
    const others = fetchHandler(consoleRoutes({}))
    const response = await others(new Request('http://host/console/api/quotas'))
    expect([response?.status, await response?.json()]).toEqual([
      404,
      { error: { message: 'This host has no storage service.' } },
    ])
    await others.close()
  })

  it('ends the streams of open pages when the host stops', async () => {
    const stopped = fetchHandler(consoleRoutes({ authorize: { '*': 'open' } }))
    const response = await stopped(new Request('http://host/console/api/activities'))
    const [text] = await Promise.all([response?.text(), stopped.close()])
    expect(text).toBe('')
  })
})
