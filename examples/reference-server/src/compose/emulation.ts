import { networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import {
  dataPlane,
  openDirectoryProjectFiles,
  portProbe,
  tcpConsoleListener,
  virtualPcEmulator,
} from '@trivium/embedded-emulators'
import { createEmulation, createPortAllocator, type Emulation, virtualPcEngines } from '@trivium/emulation-core'
import { emulationRoutes, emulationSocketRoutes } from '@trivium/emulation-core/http'
import type { AdminCheck, AnsweredRequest, Route, SocketRoute } from '@trivium/http-contract'
import { loadNativeDatagrams } from '@trivium/native-datagrams'
import { cloudEmulator } from '@trivium/process-emulators/cloud'
import { containerEmulator } from '@trivium/process-emulators/containers'
import { socatDeviceCarrier } from '@trivium/process-emulators/devices'
import { directoryDiskImages } from '@trivium/process-emulators/disk-images'
import { iouEmulator } from '@trivium/process-emulators/iou'
import { labReach, natEmulator } from '@trivium/process-emulators/nat'
import { qemuEmulator } from '@trivium/process-emulators/qemu'
import { tcpdumpFilters } from '@trivium/process-emulators/tcpdump'
import { virtualBoxEmulator } from '@trivium/process-emulators/virtualbox'
import { vpcsEmulator } from '@trivium/process-emulators/vpcs'
import { accessOptions } from '../access/without-authentication.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import { ensureUsableDirectory } from '../ensure-usable-directory.ts'
import { lockLabs } from '../lock-labs.ts'
import type { PrometheusMetrics } from '../metrics/prometheus.ts'
import { projectsDirectory, type Settings } from '../settings.ts'
import { version } from '../version.ts'
import { hostUsage } from './host-usage.ts'
import type { Stores } from './stores.ts'

export interface EmulationParts {
  readonly settings: Settings
  readonly stores: Stores
  readonly metrics: PrometheusMetrics
  readonly isAdmin: AdminCheck
  readonly onAnswered: (answered: AnsweredRequest) => void
  /** Called for each connection to a TCP port of an instance. */
  readonly onConsole: AuditTrail['consoleOpened']
  readonly onFault: (error: unknown) => void
}

export interface EmulationService {
  readonly label: string
  readonly emulation: Emulation
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  close(): Promise<void>
}

export async function composeEmulation({
  settings,
  stores,
  metrics,
  isAdmin,
  onAnswered,
  onConsole,
  onFault,
}: EmulationParts): Promise<EmulationService> {
  const projects = projectsDirectory(settings)
  const images = resolve(settings.TRIVIUM_IMAGES_DIR ?? join(settings.TRIVIUM_DATA_DIR, 'images'))
  await ensureUsableDirectory(projects, 'TRIVIUM_PROJECTS_DIR')
  await ensureUsableDirectory(images, 'TRIVIUM_IMAGES_DIR')
  const held = lockLabs(settings.TRIVIUM_DATA_DIR)
  const ports = createPortAllocator({
    isFree: portProbe({ consoleHost: settings.TRIVIUM_CONSOLE_HOST }),
    consolePorts: settings.TRIVIUM_CONSOLE_PORTS,
    udpPorts: settings.TRIVIUM_UDP_PORTS,
  })
  const realPcs = settings.TRIVIUM_EMU3 === 'vpcs'
  const batches = loadNativeDatagrams()
  const socketPath = settings.TRIVIUM_CONTAINER_SOCKET
  const devices = socatDeviceCarrier({ devices: settings.TRIVIUM_LAB_DEVICES })
  const { relay, ethernetSwitch } = dataPlane({ ports, batches, devices, onFault })
  const emulation = createEmulation({
    repositories: stores.emulation,
    emulators: {
      machine: qemuEmulator({ imageDirectories: [images], trustOptions: settings.TRIVIUM_TRUST_OPTIONS }),
      router: iouEmulator({ imageDirectories: [images] }),
      'virtual-pc': virtualPcEngines({
        embedded: virtualPcEmulator(),
        vpcs: vpcsEmulator(),
        defaultEngine: settings.TRIVIUM_EMU3,
      }),
      'desktop-vm': virtualBoxEmulator(),
      'ethernet-switch': ethernetSwitch,
      cloud: cloudEmulator({ devices }),
      nat: natEmulator({ reach: labReach(settings.TRIVIUM_LAB_REACH) }),
      ...(socketPath !== undefined && {
        container: containerEmulator({ socketPath, images: settings.TRIVIUM_CONTAINER_IMAGES }),
      }),
    },
    relay,
    ports,
    files: await openDirectoryProjectFiles({ location: projects, durability: settings.TRIVIUM_DURABILITY }),
    diskImages: directoryDiskImages({ directory: images, keepFreeBytes: settings.TRIVIUM_IMAGES_FREE_BYTES }),
    consoles: tcpConsoleListener({
      host: settings.TRIVIUM_CONSOLE_HOST,
      ...(settings.TRIVIUM_CONSOLE_PASSWORD && { password: settings.TRIVIUM_CONSOLE_PASSWORD }),
      ...(settings.TRIVIUM_CONSOLE_SOURCES && { sources: settings.TRIVIUM_CONSOLE_SOURCES }),
    }),
    captureFilters: tcpdumpFilters(),
    interfaces: async () => Object.keys(networkInterfaces()).map((name) => ({ id: name, name })),
    usage: hostUsage(),
    reopenExistingProjects: settings.TRIVIUM_GNS3_NAMES,
    limits: {
      captureBytes: settings.TRIVIUM_CAPTURE_BYTES,
      projectCaptureBytes: settings.TRIVIUM_PROJECT_CAPTURE_BYTES,
      captureDays: settings.TRIVIUM_CAPTURE_DAYS,
      diskImageBytes: settings.TRIVIUM_IMAGE_BYTES,
      diskImagesBytes: settings.TRIVIUM_IMAGES_BYTES,
    },
    metrics: metrics.recorder,
    onFault,
  })
  emulation.events.on('console.opened', ({ id, projectId }, port, from) =>
    onConsole({ projectId, instanceId: id, port }, from),
  )
  await emulation.start()
  const access = { admin: isAdmin, ...accessOptions(settings), onAnswered, onFault }
  return {
    label: `${realPcs ? 'VPCS' : 'embedded'} virtual PCs and switches; QEMU, IOU${realPcs ? '' : ', VPCS'} and VirtualBox where installed; NAT ${waysTo(settings.TRIVIUM_LAB_REACH)}; clouds ${waysTo(settings.TRIVIUM_LAB_DEVICES)}; containers ${socketPath === undefined ? 'off' : `at ${socketPath}`}; frames sent ${batches === undefined ? 'one by one' : 'in batches'}; projects in ${projects}`,
    emulation,
    routes: emulationRoutes(emulation, { ...access, ...namesOf(settings), version }),
    sockets: emulationSocketRoutes(emulation, { ...access, productNames: settings.TRIVIUM_GNS3_NAMES, version }),
    async close() {
      await emulation.close()
      held.release()
    },
  }
}

const waysTo = (open: readonly string[]): string => (open.length === 0 ? 'closed' : `to ${open.join(', ')}`)

/** The version of the original server whose interface is served. */
const ORIGINAL_VERSION = '1.3.0alpha1'

function namesOf({ TRIVIUM_GNS3_NAMES: productNames, TRIVIUM_VERSION_TOLD: reported }: Settings) {
  const reportedVersion = reported ?? (productNames ? ORIGINAL_VERSION : undefined)
  return { productNames, ...(reportedVersion !== undefined && { reportedVersion }) }
}
