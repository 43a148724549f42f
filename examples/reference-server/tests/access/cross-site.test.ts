import { expect, it } from 'vitest'
import { startServer } from '../server-process.ts'
import { send } from './send.ts'

const paths = ['/v1/projects', '/api/cluster', '/v1/auth/keys', '/v1/models', '/metrics', '/console/api/host']
const publicPages = ['/console/', '/docs', '/openapi.json', '/health']

it('refuses the password in requests from pages of other sites, on a server that listens on all addresses', async () => {
  await using server = await startServer({ args: ['--host', '0.0.0.0'] })
  const status = async (path: string, headers: Readonly<Record<string, string>>) => {
    const host = 'lab.example:8787'
    return (await send(server.url, { method: 'GET', path, headers: { host, authorization: server.admin, ...headers } }))
      .status
  }
  for (const path of paths) {
    expect(await status(path, { origin: 'https://evil.example' }), path).toBe(401)
    expect(await status(path, { origin: 'http://lab.example:8787', 'sec-fetch-site': 'cross-site' }), path).toBe(401)
    expect(await status(path, { 'sec-fetch-site': 'cross-site' }), path).toBe(401)
    expect(await status(path, { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }), path).toBe(401)
    expect(await status(path, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }), path).toBe(200)
    expect(await status(path, { origin: 'http://lab.example:8787' }), path).toBe(200)
    expect(await status(path, {}), path).toBe(200)
  }
  for (const path of publicPages) {
    expect(await status(path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }), path).toBe(200)
  }
})
