import type { Drawing, DrawingId, InstanceId, Kind, Project, ProjectId } from '../index.ts'
import type { SettingsByKind } from '../kinds/kind.ts'
import { type InstanceRecord, noImpairment, noImpairments } from '../ports.ts'

function uuid(number: number, letters: 'lower' | 'upper') {
  const id = `00000000-0000-4000-8000-${number.toString(16).padStart(12, 'abcdef')}`
  return letters === 'lower' ? id : id.toUpperCase()
}

// Ids are tagged strings, so the suites can create their own.
export const projectId = (number: number, letters: 'lower' | 'upper' = 'lower') => uuid(number, letters) as ProjectId
export const instanceId = (number: number, letters: 'lower' | 'upper' = 'lower') => uuid(number, letters) as InstanceId
export const drawingId = (number: number, letters: 'lower' | 'upper' = 'lower') => uuid(number, letters) as DrawingId

export const project = (number: number, changes: Partial<Project> = {}): Project => ({
  id: projectId(number),
  path: `/projects/${number}`,
  temporary: false,
  status: 'opened',
  archived: false,
  locked: false,
  autoOpen: false,
  autoStart: false,
  autoStopMinutes: 0,
  createdAt: new Date(1_700_000_000_000 + number * 1000),
  changedAt: new Date(1_700_000_000_000 + number * 1000),
  revision: 0,
  ...changes,
})

export const drawing = (number: number, changes: Partial<Drawing> = {}): Drawing => ({
  id: drawingId(number),
  projectId: projectId(1),
  x: number,
  y: -number,
  z: 1,
  rotation: 0,
  locked: false,
  svg: `<svg height="10" width="10"><text>Drawing ${number}</text></svg>`,
  createdAt: new Date(1_700_000_000_000 + number * 1000),
  revision: 0,
  ...changes,
})

export const settings: SettingsByKind = {
  machine: {
    program: '/usr/bin/qemu-system-x86_64',
    console: 2000,
    monitor: 2001,
    memoryMegabytes: 256,
    adapters: 2,
    adapterType: 'e1000',
    cpuThrottlingPercent: 50,
    priority: 'very low',
    primaryDisk: '/images/disk "a" \\ \u{1f600}.qcow2',
    secondaryDisk: '',
    initialRamDisk: '',
    kernelImage: '/images/vmlinuz',
    kernelCommandLine: "console=ttyS0 quiet 'x'",
    options: '-boot d',
    legacyNetworking: false,
    tertiaryDisk: '',
    quaternaryDisk: '',
    primaryDiskInterface: 'ide',
    secondaryDiskInterface: 'ide',
    tertiaryDiskInterface: 'ide',
    quaternaryDiskInterface: 'ide',
    cdromImage: '',
    biosImage: '',
    uefi: false,
    bootPriority: 'c',
    macAddress: '',
    cpus: 1,
    maxCpus: 1,
    serialPorts: 1,
    consoleType: 'telnet',
    closeAction: 'power-off',
    customAdapters: [{ adapter: 1, adapterType: 'rtl8139', macAddress: '0e:00:00:00:00:01', portName: 'Gi0/1' }],
    usage: '',
  },
  router: {
    image: '/images/router.bin',
    console: 2002,
    ethernetAdapters: 2,
    serialAdapters: 2,
    memoryMegabytes: 256,
    nvramKilobytes: 128,
    keepalives: true,
  },
  'virtual-pc': { console: 2003, engine: 'embedded', macAddress: '02:00:00:00:00:01' },
  'desktop-vm': {
    machineName: 'VM',
    cloneOf: 'Base VM',
    console: 2004,
    remoteConsole: false,
    headless: true,
    adapters: 1,
    adapterType: 'Intel PRO/1000 MT Desktop (82540EM)',
    useAnyAdapter: false,
  },
  'ethernet-switch': {
    deviceType: 'switch',
    macAgeingSeconds: 600,
    ports: [
      { port: 1, type: 'access', vlan: 10 },
      { port: 2, type: 'dot1q', vlan: 4094, stormControl: { broadcast: 100, unknownUnicast: 1 } },
    ],
  },
  nat: {},
  cloud: { ports: [{ port: 0, device: 'tap0' }] },
  container: {
    image: 'localhost/frr:10',
    console: 2005,
    consoleType: 'telnet',
    consoleCommand: 'vtysh',
    startCommand: "/bin/sh -c 'exec sleep 1'",
    environment: ['LANG=C', 'TITLE="a" \\ \u{1f600}'],
    adapters: 2,
    memoryMegabytes: 64,
    cpus: 0.5,
    volumes: ['/srv/frr'],
    startupConfigPath: '/srv/frr.conf',
  },
}

export const instance = <K extends Kind>(
  number: number,
  kind: K,
  changes: Partial<InstanceRecord<K>> = {},
): InstanceRecord<K> => ({
  id: instanceId(number),
  projectId: projectId(1),
  kind,
  name: `Instance ${number}`,
  settings: settings[kind],
  connections: [],
  processes: [],
  createdAt: new Date(1_700_000_000_000 + number * 1000),
  revision: 0,
  ...changes,
})

/** Creates a record with every optional field. */
export const fullInstance = (number: number): InstanceRecord<'machine'> =>
  instance(number, 'machine', {
    name: 'ünï "cödé" \u{1f600}',
    slot: 0,
    connections: [
      {
        adapter: 0,
        port: 0,
        nio: { type: 'udp', localPort: 10_000, remoteHost: '127.0.0.1', remotePort: 10_001 },
        impairments: { outgoing: noImpairment, incoming: { ...noImpairment, lossPercent: 0.5, delayMilliseconds: 10 } },
        linkUp: false,
        capture: { fileName: 'a.pcap', dataLinkType: 'DLT_EN10MB', direction: 'both' },
      },
      { adapter: 1, port: 0, nio: { type: 'null' }, impairments: noImpairments, linkUp: true },
    ],
    processes: [{ pid: 4711, startedAt: '123456789', program: '/usr/bin/qemu-system-x86_64' }],
  })
