import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import WebSocket from 'ws'
import { type ExampleProcess, startExample } from '../../../tests/example-process.ts'

const authorization = `Basic ${btoa('admin:correct horse')}`
let example: ExampleProcess
beforeAll(async () => {
  example = await startExample('fastify-emulation', { ADMIN_PASSWORD: 'correct horse' })
})
afterAll(() => example?.[Symbol.asyncDispose]())

it("serves the application's own routes", async () => {
  const home = await fetch(example.url)
  expect(await home.text()).toContain('network lab under /lab')
})

it('refuses requests without the password', async () => {
  expect((await fetch(`${example.url}/lab/v1/projects`)).status).toBe(401)
  expect((await fetch(`${example.url}/lab/v1/projects`, { headers: { authorization } })).status).toBe(200)
})

it('prepares a lab whose virtual PCs ping each other, as a console over WebSocket shows', async () => {
  const prepared = await fetch(`${example.url}/exercises`, { method: 'POST' })
  expect(prepared.status).toBe(201)
  const { project }: { project: string } = await prepared.json()
  await example.line(/Alice is running/)

  const pcs = `${example.url}/lab/v1/projects/${project}/emu3/vms`
  const listed: { vm_id: string; name: string }[] = await (await fetch(pcs, { headers: { authorization } })).json()
  expect(listed.map(({ name }) => name)).toEqual(['Alice', 'Bob'])
  const console = new WebSocket(`${pcs.replace('http', 'ws')}/${listed[0]?.vm_id}/console/ws`, {
    headers: { authorization },
  })
  let shown = ''
  const shows = (sign: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => sign.test(shown) && resolve()
      console.on('message', look).once('error', reject)
      look()
    })
  console.on('message', (data) => {
    shown += data.toString()
  })
  await shows(/Alice> $/)
  console.send('ping 10.0.0.2 -c 1\r')
  await shows(/bytes from 10\.0\.0\.2/)
  console.terminate()
})

it('ends open streams and consoles on SIGTERM, and exits with 0', async () => {
  const headers = { authorization, accept: 'text/event-stream' }
  const made = await fetch(`${example.url}/lab/v1/projects`, { method: 'POST', headers })
  const { project_id }: { project_id: string } = await made.json()
  const project = `${example.url}/lab/v1/projects/${project_id}`
  const pc: { vm_id: string } = await (
    await fetch(`${project}/emu3/vms`, { method: 'POST', headers, body: '{"name":"PC"}' })
  ).json()
  await fetch(`${project}/emu3/vms/${pc.vm_id}/start`, { method: 'POST', headers })
  const notifications = await fetch(`${project}/notifications`, { headers })
  const reader = notifications.body?.getReader()
  expect((await reader?.read())?.done).toBe(false)
  const console = new WebSocket(`${project.replace('http', 'ws')}/emu3/vms/${pc.vm_id}/console/ws`, { headers })
  await once(console, 'open')
  const stopped = example.stop()
  expect((await once(console, 'close'))[0]).toBe(1001)
  // Rejects where the answer is cut off.
  while (!(await reader?.read())?.done);
  expect(await stopped).toBe(0)
})
