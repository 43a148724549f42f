import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../server-process.ts'

it('makes directories that no other user of the machine can look into', async () => {
  const home = mkdtempSync(join(tmpdir(), 'trivium-files-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const [dataDirectory, projects] = [join(home, 'data'), join(home, 'projects')]
  const environment = { TRIVIUM_PROJECTS_DIR: projects }
  await using server = await startServer({ dataDirectory, environment })
  expect((await server.ask('/v1/version')).status).toBe(200)
  const modes = [dataDirectory, projects, join(dataDirectory, 'images')].map((path) => statSync(path).mode & 0o077)
  expect(modes).toEqual([0, 0, 0])
})
