import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { emulationContract, emulationSockets } from '@trivium/emulation-core/http'
import { gatewayContract, gatewaySecurity, gatewaySecuritySchemes } from '@trivium/gateway-core/http'
import { type OpenApiPart, toOpenApi } from '@trivium/http-contract/openapi'
import { storageContract, storageSockets } from '@trivium/storage-core/http'
import { renderApiReference } from '../examples/reference-server/src/pages/api-reference.ts'

/**
 * Builds `site/build` from the documents and the API references. Fails on a broken link, and on a page that loads anything
 * from another origin.
 */
const services: Readonly<Record<string, OpenApiPart>> = {
  gateway: { operations: gatewayContract, security: gatewaySecurity },
  emulation: { operations: emulationContract, sockets: emulationSockets },
  storage: { operations: storageContract, sockets: storageSockets },
}

if (!isInstalled()) run('npm', ['ci', '--prefix', 'site'])
run(process.execPath, ['site/node_modules/vitepress/bin/vitepress.js', 'build', 'site'])

for (const [name, part] of Object.entries(services)) {
  const { version }: { version: string } = JSON.parse(readFileSync(`packages/${name}-core/package.json`, 'utf8'))
  const document = toOpenApi([part], {
    info: { title: `Trivium ${name}`, version },
    ...(name === 'gateway' && { securitySchemes: gatewaySecuritySchemes }),
  })
  const directory = `site/build/api/${name}`
  mkdirSync(directory, { recursive: true })
  writeFileSync(`${directory}/index.html`, renderApiReference(document))
  writeFileSync(`${directory}/openapi.json`, JSON.stringify(document, null, 2))
}

const pagesWithExternalRequests = globSync('site/build/**/*.{html,css}').filter((file) =>
  /<(?:script|link|img|iframe)\b[^>]*(?:src|href)="(?:https?:)?\/\/|(?:url\(|@import )["']?(?:https?:)?\/\//.test(
    readFileSync(file, 'utf8'),
  ),
)
if (pagesWithExternalRequests.length > 0) {
  console.error(`These pages load something from another origin: ${pagesWithExternalRequests.join(', ')}`)
  process.exit(1)
}

/** Returns whether the generator is installed with the versions of the lock file. */
function isInstalled(): boolean {
  const installed = 'site/node_modules/.package-lock.json'
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync('site/package-lock.json').mtimeMs
}

function run(program: string, parameters: readonly string[]): void {
  const { status } = spawnSync(program, parameters, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
