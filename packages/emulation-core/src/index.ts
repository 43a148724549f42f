export type { CaptureDirection, CaptureRecord, CaptureSink } from './captures/capture.ts'
export type { Captures } from './captures/captures.ts'
export type { ConsoleEndpoint } from './consoles/console-endpoint.ts'
export type { ConsoleHub, ConsoleHubOptions, ConsoleInput, ConsoleViewer } from './consoles/console-hub.ts'
export type {
  ConsoleConnection,
  ConsoleConnectionEvents,
  ConsoleListener,
  OpenConsole,
} from './consoles/console-listener.ts'
export type { ConsoleTicket } from './consoles/console-tickets.ts'
export type { Consoles } from './consoles/consoles.ts'
export type { TelnetDecoder, TelnetEvents, TelnetRole } from './consoles/telnet.ts'
export { consoleClient, consoleServer, createTelnetDecoder, encodeTelnet } from './consoles/telnet.ts'
export type { EmulationLimits } from './context.ts'
export type { Emulation, EmulationOptions } from './emulation.ts'
export { createEmulation } from './emulation.ts'
export type { EmulationError, RefusedError } from './emulation-error.ts'
export type {
  EmulatedInstance,
  Emulator,
  EmulatorCapabilities,
  EmulatorProgram,
  Emulators,
  StartOptions,
  StrayInstance,
} from './emulators/emulator.ts'
export type { ExitReport, MacTableEntry, NicState, RunningInstance } from './emulators/running-instance.ts'
export type { Wiring } from './emulators/wiring.ts'
export type { CaptureChange, EmulationEvents, InstanceStop, LinkChange, LogEntry } from './events.ts'
export type { Host, HostUsage, NetworkInterface } from './host/host.ts'
export type { NewInstance } from './instances/create-instance.ts'
export type {
  Connection,
  Instance,
  InstanceId,
  InstanceRecord,
  InstanceReference,
  InstanceState,
  ProcessRecord,
} from './instances/instance.ts'
export type { InstanceRepository, Removal } from './instances/instance-repository.ts'
export type { Instances } from './instances/instances.ts'
export type { Lifecycle } from './instances/lifecycle.ts'
export type { InstanceUpdate } from './instances/update-instance.ts'
export type { DesktopVmSettings } from './kinds/desktop-vm/settings.ts'
export type { EthernetSwitchSettings, SwitchPort, SwitchPortType } from './kinds/ethernet-switch/settings.ts'
export { switchPortTypes } from './kinds/ethernet-switch/settings.ts'
export type { Kind, SettingsByKind, SettingsOf } from './kinds/kind.ts'
export type { KindDefinition } from './kinds/kind-definition.ts'
export { kinds } from './kinds/kinds.ts'
export type { MachineSettings, ProcessPriority } from './kinds/machine/settings.ts'
export { processPriorities } from './kinds/machine/settings.ts'
export type { NewSettings } from './kinds/new-settings.ts'
export type { RouterSettings } from './kinds/router/settings.ts'
export type { SettingsUpdate } from './kinds/settings-update.ts'
export type { VirtualPcSettings } from './kinds/virtual-pc/settings.ts'
export type { ConnectionChanges, Connections, ConnectionView } from './links/connections.ts'
export type { Impairment, Impairments } from './links/impairments.ts'
export { noImpairment, noImpairments } from './links/impairments.ts'
export type {
  CaptureOptions,
  ConnectOptions,
  DevicePort,
  DirectionCounters,
  LinkCounters,
  LinkRelay,
  StreamOptions,
  UdpPlug,
} from './links/link-relay.ts'
export type { Link, LinkEnd, Links } from './links/links.ts'
export type { Nic } from './links/nic.ts'
export { nicKey } from './links/nic.ts'
export type { NicAddress } from './links/nic-address.ts'
export { sameNic } from './links/nic-address.ts'
export type { EthernetNio, Nio, NioType, NullNio, TapNio, UdpNio, UnixNio, VdeNio } from './links/nio.ts'
export type { PortAllocatorOptions } from './ports/create-port-allocator.ts'
export { createPortAllocator } from './ports/create-port-allocator.ts'
export type { PortAllocator, PortRange, PortUse } from './ports/port-allocator.ts'
export type { NewProject, ProjectUpdate } from './projects/new-project.ts'
export { isPlainName } from './projects/plain-name.ts'
export type { Project, ProjectId } from './projects/project.ts'
export type {
  CaptureEntry,
  CaptureFile,
  InstanceDirectory,
  ProjectDirectory,
  ProjectFiles,
} from './projects/project-files.ts'
export type { ProjectRepository } from './projects/project-repository.ts'
export type { Projects } from './projects/projects.ts'
export type { RecoveryProblem, RecoveryReport } from './recovery.ts'
export type { RefusalOptions, RefusalReason } from './refusal.ts'
export { isRefusal, Refusal } from './refusal.ts'
export type { EmulationRepositories } from './repositories.ts'
export { StoreFailure } from './store-failure.ts'
