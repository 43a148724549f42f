import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

/** Prints the modules that the import of the first argument loads. */
const PROGRAM = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
await import(process.argv[1])
console.log(JSON.stringify(loaded))
`

/** What each core needs as soon as it is imported. */
const needed = {
  'gateway-core': ['@opentelemetry/api', 'eventemitter3', 'ipaddr.js', 'lru-cache', 'neverthrow', 're2js', 'valibot'],
  'emulation-core': ['@opentelemetry/api', 'eventemitter3', 'neverthrow', 'saxes', 'valibot', 'xmlchars'],
  'storage-core': ['@opentelemetry/api', 'eventemitter3', 'neverthrow', 'valibot'],
}

it.each(
  Object.entries(needed),
)('%s loads no transport, driver, upstream or OpenAPI document when it is imported', async (core, packages) => {
  const args = ['--conditions=@trivium/source', '--input-type=module', '--eval', PROGRAM, `@trivium/${core}`]
  const loaded: readonly string[] = JSON.parse((await run(process.execPath, args)).stdout)
  const installed = new Set(loaded.flatMap((url) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []))
  expect([...installed].sort()).toEqual(packages)
  const own = new Set(loaded.flatMap((url) => /\/packages\/([^/]+)\//.exec(url)?.[1] ?? []))
  expect([...own].filter((name) => name !== core && name !== 'http-contract')).toEqual([])
  expect(
    loaded.filter((url) => /\/http-contract\/src\/(node|openapi|conformance)\/|\/conformance\//.test(url)),
  ).toEqual([])
})
