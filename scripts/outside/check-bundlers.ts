import { execFile, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { checkOldNode } from './check-old-node.ts'
import { hasBinaries } from './has-binaries.ts'
import type { OutsideCheck } from './outside-check.ts'

const run = promisify(execFile)

const names = ['next', 'webpack', 'rollup', 'vite', 'esbuild-esm', 'esbuild-cjs']

const hostSchema = v.object({ key: v.string(), absent: v.array(v.string()) })

const admin = `Basic ${btoa('admin:secret')}`

/**
 * Builds one host with each bundler, starts each bundle where no package is installed, and sends it requests. Imports the
 * same packages on Node 20.
 */
export const checkBundlers: OutsideCheck = {
  project: 'bundlers',
  directories: ['.'],
  checks: (project) => [
    ...names.map((name) => ({ name, run: () => checkBundler(project, name) })),
    ...(hasBinaries('Node 20') ? [{ name: 'node-20', run: () => checkOldNode(project) }] : []),
  ],
}

async function checkBundler(project: string, name: string): Promise<readonly string[]> {
  const { stderr } = await run(process.execPath, ['bundle.js', name], { cwd: project })
  if (stderr !== '') return [`prints warnings: ${stderr}`]
  const host = name === 'next' ? startNext(project) : startBundle(project, name)
  try {
    return await requestAll(await host.address, name)
  } finally {
    host.stop()
  }
}

const startNext = (project: string) =>
  start(project, ['node_modules/next/dist/bin/next', 'start', 'next-host', '--hostname', '127.0.0.1', '--port', '0'])

/** Starts the bundle next to the project, where it finds no package. */
function startBundle(project: string, name: string) {
  const directory = mkdtempSync(join(project, '..', 'bundle-'))
  cpSync(join(project, 'built', name), directory, { recursive: true })
  return start(directory, [existsSync(join(directory, 'server.mjs')) ? 'server.mjs' : 'server.cjs'])
}

/** Starts a program of Node that prints its address. */
function start(directory: string, args: readonly string[]) {
  const child = spawn(process.execPath, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  const address = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        printed += `${line}\n`
        const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
        if (found !== undefined) resolve(found)
      })
    }
    child.once('exit', () => reject(new Error(`does not start: ${printed}`)))
  })
  return { address, stop: () => child.kill('SIGKILL') }
}

async function requestAll(address: string, name: string): Promise<readonly string[]> {
  const { key, absent } = v.parse(hostSchema, await (await fetch(`${address}/host`)).json())
  const requests = [
    ['/v1/models', `Bearer ${key}`],
    ['/v1/version', admin],
    ['/api/cluster', admin],
  ] as const
  const answers = await Promise.all(
    requests.map(async ([path, authorization]) => {
      const { status } = await fetch(`${address}${path}`, { headers: { authorization } })
      return status === 200 ? [] : [`answers ${path} with ${status}`]
    }),
  )
  // The route handler of Next.js has no server to attach sockets to.
  const optional = name === 'next' ? ['pg', 'mysql2'] : ['pg', 'mysql2', 'ws']
  const unclear = optional.filter((peer, index) => !absent[index]?.endsWith(`the package ${peer}: npm install ${peer}`))
  return [...answers.flat(), ...unclear.map((peer) => `does not name the absent package ${peer}: ${absent.join('; ')}`)]
}
