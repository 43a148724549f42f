export type { CaptureDirection, CaptureLimit, CaptureSink } from './captures/capture.ts'
export type { CaptureFilters, FilterInstruction, FilterProgram } from './captures/capture-filter.ts'
export type { ConsoleEndpoint } from './consoles/console-endpoint.ts'
export type {
  ConsoleConnection,
  ConsoleConnectionEvents,
  ConsoleListener,
  OpenConsole,
} from './consoles/console-listener.ts'
export type { DisplayConnection, DisplayEndpoint, DisplayEvents, DisplayProtocol } from './consoles/display-endpoint.ts'
export type { TelnetDecoder, TelnetEvents, TelnetRole } from './consoles/telnet.ts'
export { consoleClient, consoleServer, createTelnetDecoder, encodeTelnet } from './consoles/telnet.ts'
export type { TelnetSession, TelnetSessionOptions } from './consoles/telnet-session.ts'
export { openTelnetSession } from './consoles/telnet-session.ts'
export type {
  DiskImage,
  DiskImageFacts,
  DiskImageFormat,
  DiskImageUpload,
} from './disk-images/disk-image.ts'
export { diskImageFormats } from './disk-images/disk-image.ts'
export { isDiskImageName } from './disk-images/disk-image-name.ts'
export type {
  AppendOutcome,
  CompleteOutcome,
  DiskImageStore,
  ExpectedImage,
  InspectedImage,
  UploadedPart,
} from './disk-images/disk-image-store.ts'
export type { DrawingRepository, DrawingUsage } from './drawings/drawing-repository.ts'
export type { EmulationRepositories } from './emulation-repositories.ts'
export type {
  EmulatedInstance,
  Emulator,
  EmulatorCapabilities,
  EmulatorProgram,
  Emulators,
  InstanceFiles,
  OrphanedInstance,
  StartOptions,
} from './emulators/emulator.ts'
export type {
  ExitReport,
  InstanceResources,
  MacTableEntry,
  NicState,
  RunningInstance,
  StormDrops,
} from './emulators/running-instance.ts'
export type { Wiring } from './emulators/wiring.ts'
export type { HostProbes } from './host/host.ts'
export type { InstanceRecord, ProcessRecord } from './instances/instance.ts'
export type { InstanceRepository, Removal } from './instances/instance-repository.ts'
export type { CloudPort, CloudSettings } from './kinds/cloud/settings.ts'
export { containerDefaults } from './kinds/container/defaults.ts'
export type { ContainerConsoleType, ContainerSettings } from './kinds/container/settings.ts'
export type { DesktopVmSettings } from './kinds/desktop-vm/settings.ts'
export type {
  DeviceType,
  EthernetSwitchSettings,
  StormControl,
  StormSort,
  SwitchPort,
  SwitchPortType,
} from './kinds/ethernet-switch/settings.ts'
export { DEFAULT_MAC_AGEING_SECONDS } from './kinds/ethernet-switch/settings.ts'
export type { SettingsOf } from './kinds/kind.ts'
export { machineDefaults } from './kinds/machine/defaults.ts'
export { machineMac } from './kinds/machine/mac-address.ts'
export type {
  BootPriority,
  CloseAction,
  CustomAdapter,
  DiskInterface,
  MachineConsoleType,
  MachineSettings,
  ProcessPriority,
} from './kinds/machine/settings.ts'
export type { NatSettings } from './kinds/nat/settings.ts'
export type { RouterSettings } from './kinds/router/settings.ts'
export type { CarriedDevice, CarrierPorts, DeviceCarrier } from './links/device-carrier.ts'
export type { Impairment, Impairments } from './links/impairments.ts'
export { noImpairment, noImpairments } from './links/impairments.ts'
export type {
  CaptureOptions,
  ConnectOptions,
  Destination,
  DevicePort,
  DirectionCounters,
  LinkCounters,
  LinkRelay,
  PlugUdpOptions,
  StreamOptions,
  UdpPlug,
} from './links/link-relay.ts'
export type { Nic } from './links/nic.ts'
export { nicKey } from './links/nic.ts'
export type { NicAddress } from './links/nic-address.ts'
export type { EthernetNio, TapNio, UdpNio } from './links/nio.ts'
export { emulationMetrics } from './metrics/emulation-metrics.ts'
export type { GaugeValue, MetricDefinition, MetricLabels, MetricsRecorder } from './metrics/metrics-recorder.ts'
export type { PortAllocator, PortRange, PortUse } from './ports/port-allocator.ts'
export { isLogName } from './projects/log-name.ts'
export { isPlainName } from './projects/plain-name.ts'
export { withProjectDefaults } from './projects/project.ts'
export type {
  CaptureEntry,
  CaptureFile,
  InstanceDirectory,
  ProjectDirectory,
  ProjectFiles,
} from './projects/project-files.ts'
export type { ProjectRepository } from './projects/project-repository.ts'
export type { RefusalOptions, RefusalReason } from './refusal.ts'
export { isRefusal, Refusal } from './refusal.ts'
