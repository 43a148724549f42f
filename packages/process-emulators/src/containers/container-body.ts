import { existsSync } from 'node:fs'
import type { EmulatedInstance } from '@trivium/emulation-core/ports'

/** Marks the containers of instances. The value is the id of the instance. */
export const INSTANCE_LABEL = 'io.trivium.instance'

/**
 * What programs in a container may do: administer the network of the container and send raw packets, change users as
 * daemons do, and access the files of the container as root. They cannot mount, load modules, trace, make devices, set
 * the clock or reach another namespace.
 */
export const containerCapabilities = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'NET_ADMIN',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SETGID',
  'SETUID',
] as const

/** The most processes and threads of a container. */
const MAX_PROCESSES = 512
/** The most open files of a process. Engines ask for more than a process without privileges can have. */
const MAX_OPEN_FILES = 4096
const CPU_PERIOD_MICROSECONDS = 100_000

export interface ContainerBodyOptions {
  readonly instance: EmulatedInstance<'container'>
  /** Empty for the command of the image. */
  readonly command: readonly string[]
  /** Directories of the host by their paths in the container. */
  readonly volumes: readonly { readonly source: string; readonly target: string }[]
}

/** The body of the request that creates a container. */
export function containerBody({ instance, command, volumes }: ContainerBodyOptions): object {
  const { id, name, settings } = instance
  const memory = settings.memoryMegabytes * 2 ** 20
  return {
    Image: settings.image,
    ...(command.length > 0 && { Cmd: command }),
    Env: settings.environment,
    Hostname: hostnameOf(name),
    Labels: { [INSTANCE_LABEL]: id },
    // An image whose command is a shell runs on where it has a terminal.
    Tty: true,
    OpenStdin: true,
    // Those of an image would run programs at any time.
    Healthcheck: { Test: ['NONE'] },
    HostConfig: {
      NetworkMode: 'none',
      IpcMode: 'private',
      Privileged: false,
      CapDrop: ['ALL'],
      CapAdd: containerCapabilities,
      SecurityOpt: ['no-new-privileges'],
      Memory: memory,
      // Memory and swap space together.
      MemorySwap: memory,
      CpuPeriod: CPU_PERIOD_MICROSECONDS,
      CpuQuota: Math.round(settings.cpus * CPU_PERIOD_MICROSECONDS),
      PidsLimit: MAX_PROCESSES,
      Ulimits: [
        { Name: 'nofile', Soft: MAX_OPEN_FILES, Hard: MAX_OPEN_FILES },
        { Name: 'nproc', Soft: MAX_OPEN_FILES, Hard: MAX_OPEN_FILES },
      ],
      Sysctls: forwarding(),
      LogConfig: { Type: 'json-file', Config: { 'max-size': '1m' } },
      RestartPolicy: { Name: '' },
      Mounts: volumes.map(({ source, target }) => ({ Type: 'bind', Source: source, Target: target })),
    },
  }
}

/** Lets a container forward packets, as it cannot set that itself, and use router advertisements nevertheless. */
const forwarding = (): Readonly<Record<string, string>> => ({
  'net.ipv4.ip_forward': '1',
  ...(existsSync('/proc/sys/net/ipv6') && {
    'net.ipv6.conf.all.forwarding': '1',
    'net.ipv6.conf.default.accept_ra': '2',
  }),
})

/** A host name that is as near to the name as it can be. */
const hostnameOf = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 63)
    .replace(/-+$/, '') || 'container'
