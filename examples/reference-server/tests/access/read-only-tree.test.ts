import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { canMountSmallDisks } from '../../../../packages/sql-repositories/tests/small-disk.ts'
import { requireProgram } from '../require-program.ts'
import { startServer } from '../server-process.ts'
import { accessibleToOthers, pathsIn, useEverything } from './whole-run.ts'

const UNPRIVILEGED_USER = 65534
const repository = join(import.meta.dirname, '../../../..')
const isPossible = (await requireProgram('setpriv', 'util-linux')) && (await canMountSmallDisks())

it.runIf(isPossible)(
  'runs all services as a user without rights from a read-only tree, and builds its console once',
  async () => {
    const home = mkdtempSync(join(tmpdir(), 'trivium-read-only-'))
    chmodSync(home, 0o755)
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const [tree, dataDirectory, foreign] = [join(home, 'tree'), join(home, 'data'), join(home, 'foreign')]
    for (const directory of [tree, dataDirectory, foreign]) mkdirSync(directory, { mode: 0o700 })
    chownSync(dataDirectory, UNPRIVILEGED_USER, UNPRIVILEGED_USER)
    mountReadOnly(tree)
    onTestFinished(() => void execFileSync('umount', ['-R', tree]))
    const launcher = ['setpriv', '--reuid', `${UNPRIVILEGED_USER}`, '--regid', `${UNPRIVILEGED_USER}`, '--clear-groups']
    const options = { tree, dataDirectory, launcher }

    await expect(startServer({ ...options, dataDirectory: foreign })).rejects.toThrow(
      /The directory ".*\/foreign" cannot be used \(EACCES.*Choose another directory with --data-dir\.\n$/,
    )
    {
      await using server = await startServer(options)
      const visit = () => fetch(`${server.url}/console/`)
      const early = await visit()
      expect([early.status, early.headers.get('retry-after'), early.headers.get('cache-control')]).toEqual([
        503,
        '2',
        'no-store',
      ])
      expect(await early.text()).toMatch(/<meta http-equiv="refresh"[\s\S]*being built/)
      expect((await fetch(`${server.url}/console/main.js`)).status).toBe(503)
      await useEverything(server)
      const page = await vi.waitFor(
        async () => {
          const response = await visit()
          expect(response.status).toBe(200)
          return response.text()
        },
        { timeout: 120_000, interval: 500 },
      )
      const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1]
      expect((await fetch(`${server.url}/console/${script}`)).status).toBe(200)
      expect(server.output()).not.toMatch(/EACCES|EROFS|Error/)
      expect(accessibleToOthers(pathsIn(dataDirectory))).toEqual([])
      expect(await server.stop()).toBe(0)
    }
    await using again = await startServer(options)
    expect((await fetch(`${again.url}/console/`)).status).toBe(200)
  },
  240_000,
)

/** Mounts this repository as it is after a clone and `npm ci`, without the builds of tests. */
function mountReadOnly(tree: string): void {
  execFileSync('mount', ['--bind', repository, tree])
  for (const built of ['node_modules/.cache', 'dist']) {
    const directory = join(tree, 'packages/console', built)
    if (existsSync(directory)) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,ro', 'tmpfs', directory])
  }
  execFileSync('mount', ['-o', 'remount,bind,ro', tree])
}
