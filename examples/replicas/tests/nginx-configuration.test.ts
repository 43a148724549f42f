import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { emulationContract, emulationSockets } from '@trivium/emulation-core/http'
import { gatewayContract, gatewaySockets } from '@trivium/gateway-core/http'
import { describe, expect, it } from 'vitest'
import { nginxConfiguration } from '../src/nginx-configuration.ts'

const written = nginxConfiguration({ port: 80, directory: '/srv', replicas: [1], labs: 2, sharedVolumes: false })
const documented = readFileSync(join(import.meta.dirname, '../../../docs/deployment.md'), 'utf8')

/** The paths for which a configuration selects the replicas. */
const replicaPaths = (configuration: string): RegExp =>
  new RegExp(/location ~ (\S+) \{\s+proxy_pass http:\/\/replicas;/.exec(configuration)?.[1] ?? 'none')

const pathsOf = (...contracts: readonly Readonly<Record<string, { readonly path: string }>>[]) =>
  contracts.flatMap((contract) => Object.values(contract).map(({ path }) => path.replaceAll(/\{[^}]*\}/g, 'x')))

describe.each([
  ['the configuration of nginx', written],
  ['the document about deployment', documented],
])('%s', (_, configuration) => {
  it('sends each operation and socket of the gateway to the replicas', () => {
    const replicas = replicaPaths(configuration)
    expect(pathsOf(gatewayContract, gatewaySockets).filter((path) => !replicas.test(path))).toEqual([])
  })

  it('sends no operation or socket of labs to the replicas', () => {
    const replicas = replicaPaths(configuration)
    expect(pathsOf(emulationContract, emulationSockets).filter((path) => replicas.test(path))).toEqual([])
  })

  it('sends upgrades on', () => {
    expect(configuration).toMatch(/proxy_set_header Upgrade \$http_upgrade;/)
    expect(configuration).toMatch(/proxy_set_header Connection \$connection_header;/)
  })
})
