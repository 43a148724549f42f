import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { readManifests } from '../packages/package-manifest.ts'

const run = promisify(execFile)

const reportSchema = v.record(v.string(), v.nullable(v.string()))

const SENTENCE = /@trivium\/[\w-]+ needs Node 22\.19 or newer; this is v20\.\d+\.\d+\.$/

/** What cannot work on Node 20. The other entries load there, which is not promised. */
const failing = ['SQLite', '@trivium/provider-kit', '@trivium/openai-provider', '@trivium/storage-core/http']

/** Imports every entry on Node 20. One that fails has to name the version that it needs. @returns the problems */
export async function checkOldNode(project: string): Promise<readonly string[]> {
  const specifiers = [...readManifests().values()].flatMap(({ specifiers, peers, optionalPeers }) =>
    // Entries for Vitest, and those of other packages that the project does not have, cannot load on any version.
    Object.keys(peers).every((peer) => peer.startsWith('@trivium/'))
      ? specifiers.filter((specifier) => !/\/(conformance|openapi)$/.test(specifier) || optionalPeers.length === 0)
      : [],
  )
  const { stdout } = await run(join(project, 'node_modules/node-20/bin/node'), ['import-all.js', ...specifiers], {
    cwd: project,
  })
  const report = v.parse(reportSchema, JSON.parse(stdout))
  return [
    ...failing.filter((name) => report[name] === null).map((name) => `does not refuse ${name}`),
    ...Object.entries(report).flatMap(([name, message]) =>
      message === null || SENTENCE.test(message) ? [] : [`refuses ${name} without naming the version: ${message}`],
    ),
  ]
}
