import type { Contract, Handlers } from '@trivium/http-contract'
import * as v from 'valibot'
import type { Emulation } from '../../index.ts'
import { failure, failureResponses } from '../errors/failure.ts'
import { toFailure } from '../errors/to-failure.ts'
import { fields, nonEmptyLine, whole } from '../requests/fields.ts'
import { inProject, PROJECT } from '../requests/places.ts'

const tags = ['server']
const version = v.object({ version: v.string(), local: v.boolean() })
const udpPort = v.object({ udp_port: whole })

export const serverOperations = {
  createUdpPort: {
    method: 'POST',
    path: '/v1/ports/udp',
    summary: 'Reserves a UDP port for a NIO, by default for one hour',
    tags,
    responses: { 201: udpPort, ...failureResponses },
  },
  createProjectUdpPort: {
    method: 'POST',
    path: `${PROJECT}/ports/udp`,
    summary: 'Reserves a UDP port for a NIO of the project, by default for one hour',
    tags,
    params: inProject,
    responses: { 201: udpPort, ...failureResponses },
  },
  listInterfaces: {
    method: 'GET',
    path: '/v1/interfaces',
    summary: 'Lists the network interfaces of the host',
    tags,
    responses: { 200: v.array(v.object({ id: v.string(), name: v.string() })), ...failureResponses },
  },
  getVersion: {
    method: 'GET',
    path: '/v1/version',
    summary: 'Reads the version that the server reports',
    tags,
    responses: { 200: version, ...failureResponses },
  },
  checkVersion: {
    method: 'POST',
    path: '/v1/version',
    summary: 'Checks that the client has the version that the server reports',
    tags,
    body: fields({ version: nonEmptyLine(64) }),
    responses: { 200: version, ...failureResponses },
  },
  reloadConfiguration: {
    method: 'POST',
    path: '/v1/config/reload',
    summary: 'Refuses to load the configuration again, which only a local server of the original does',
    tags,
    responses: failureResponses,
  },
  listEmu1Binaries: {
    method: 'GET',
    path: '/v1/emu1/binaries',
    summary: 'Lists the programs that emu1 instances may run',
    tags: ['emu1'],
    responses: { 200: v.array(v.object({ path: v.string(), version: v.string() })), ...failureResponses },
  },
  getEmu1Capabilities: {
    method: 'GET',
    path: '/v1/emu1/capabilities',
    summary: 'Reads the architectures for which hardware acceleration works on the host',
    tags: ['emu1'],
    responses: { 200: v.object({ kvm: v.array(v.string()) }), ...failureResponses },
  },
  listEmu4Names: {
    method: 'GET',
    path: '/v1/emu4/vms',
    summary: 'Lists the names of the VMs that emu4 instances may wrap',
    tags: ['emu4'],
    responses: { 200: v.array(v.string()), ...failureResponses },
  },
} as const satisfies Contract

export function serverHandlers(
  { host, projects, localMode }: Emulation,
  { reportedVersion: own }: { readonly reportedVersion: string },
): Handlers<typeof serverOperations> {
  return {
    createUdpPort: () =>
      host.reserveUdpPort().match((port) => ({ status: 201, body: { udp_port: port } }) as const, toFailure),
    createProjectUdpPort: ({ params }) =>
      projects
        .find(params.projectId)
        .andThen(({ id }) => host.reserveUdpPort(id))
        .match((port) => ({ status: 201, body: { udp_port: port } }) as const, toFailure),
    listInterfaces: async () => ({
      status: 200,
      body: (await host.interfaces()).map(({ id, name }) => ({ id, name })),
    }),
    getVersion: () => ({ status: 200, body: { version: own, local: localMode } }),
    checkVersion: ({ body }) => {
      if (body.version === own) return { status: 200, body: { version: own, local: localMode } }
      return failure(409, `Client version ${body.version} differs with server version ${own}.`)
    },
    reloadConfiguration: () => failure(403, 'You can only reload the configuration for a local server.'),
    listEmu1Binaries: () =>
      host
        .programs('machine')
        .match(
          (programs) => ({ status: 200, body: programs.map(({ path, version }) => ({ path, version })) }) as const,
          toFailure,
        ),
    getEmu1Capabilities: () =>
      host
        .capabilities('machine')
        .match(
          ({ acceleratedArchitectures }) => ({ status: 200, body: { kvm: [...acceleratedArchitectures] } }) as const,
          toFailure,
        ),
    listEmu4Names: () =>
      host.machineNames('desktop-vm').match((names) => ({ status: 200, body: [...names] }) as const, toFailure),
  }
}
