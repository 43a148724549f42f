import { expect, it } from 'vitest'
import { startServer } from '../server-process.ts'

it.each([
  'fastify',
  'express',
  'fetch',
] as const)('serves the console over %s, and stops while a console is open', async (transport) => {
  await using server = await startServer({ transport })
  const lead = await fetch(`${server.url}/console`, { redirect: 'manual' })
  expect([lead.status, lead.headers.get('location')]).toEqual([308, 'console/'])
  const page = await fetch(`${server.url}/console/`)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(await page.text())?.[1]
  const file = await fetch(`${server.url}/console/${script}`, { headers: { 'accept-encoding': 'br' } })
  expect([file.status, file.headers.get('content-encoding')]).toEqual([200, 'br'])

  const activities = await server.ask('/console/api/activities')
  const reader = activities.body?.getReader()
  await server.ask('/v1/projects', { method: 'POST', body: {} })
  const first = await reader?.read()
  expect(new TextDecoder().decode(first?.value)).toContain('project.created')
  expect(await server.stop()).toBe(0)
  expect((await reader?.read())?.done).toBe(true)
})
