/**
 * The requests of the original server's handler tests that the contract covers, in their order, with what is answered:
 * facts of gns3-server 1.3.0alpha1. Left out are those whose success needs a program that they replace (IOU, VirtualBox),
 * a device of the host (TAP, Ethernet), or a server on the client's machine.
 */
export interface OriginalRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** After `/v1`. `{name}` stands for an id that an earlier request has made. */
  readonly path: string
  /** Sent as JSON; a text as it is. @default an empty object, except for GET and DELETE */
  readonly body?: Readonly<Record<string, unknown>> | string
  readonly status: number
  /** The template in `X-Route`. @default not compared */
  readonly route?: string
  /** The keys of the answer, ours included. @default none: the answer is empty, or a list */
  readonly keys?: readonly string[]
  /** Values of the answer. */
  readonly values?: Readonly<Record<string, unknown>>
  /** The name for the id of the answer. */
  readonly as?: string
  /** Whether the request needs QEMU. @default false */
  readonly needsQemu?: boolean
}

const error = ['message', 'status']
const project = [
  ...['archived', 'auto_open', 'auto_start', 'auto_stop_minutes', 'changed_at', 'created_at', 'location', 'locked'],
  ...['nodes', 'nodes_running', 'path', 'project_id', 'status', 'temporary'],
]
// Last in a list: what the original does not have, which its clients ignore.
const vpcs = ['console', 'name', 'project_id', 'startup_script', 'startup_script_path', 'vm_id', 'engine']
const iou = [
  ...['console', 'ethernet_adapters', 'initial_config', 'l1_keepalives', 'name', 'nvram', 'path', 'project_id'],
  ...['ram', 'serial_adapters', 'vm_id'],
]
const qemu = [
  ...['adapter_type', 'adapters', 'console', 'cpu_throttling', 'hda_disk_image', 'hdb_disk_image', 'initrd'],
  ...['kernel_command_line', 'kernel_image', 'legacy_networking', 'monitor', 'name', 'options', 'process_priority'],
  ...['project_id', 'qemu_path', 'ram', 'vm_id'],
  ...['acpi_shutdown', 'bios_image', 'boot_priority', 'cdrom_image', 'console_type', 'cpus', 'custom_adapters'],
  ...['hda_disk_interface', 'hdb_disk_interface', 'hdc_disk_image', 'hdc_disk_interface', 'hdd_disk_image'],
  ...['hdd_disk_interface', 'mac_address', 'maxcpus', 'on_close', 'serial_ports', 'uefi', 'usage'],
]
const virtualBox = [
  ...['adapter_type', 'adapters', 'console', 'enable_remote_console', 'headless', 'name', 'project_id'],
  ...['use_any_adapter', 'vm_id', 'vmname'],
]
const device = ['device_id', 'name', 'ports', 'project_id', 'device_type', 'mac_ageing_seconds']
const nio = ['lport', 'rhost', 'rport', 'type']
const udp = (lport: number) => ({ type: 'nio_udp', lport, rport: lport + 1, rhost: '127.0.0.1' })
const absent = '99999999-9999-4999-8999-999999999999'
const nic = 'adapters/{adapter_number:\\d+}/ports/{port_number:\\d+}'

const projects: readonly OriginalRequest[] = [
  { method: 'POST', path: '/projects', status: 201, keys: project, values: { temporary: false }, route: '/projects' },
  { method: 'POST', path: '/projects', body: { temporary: true }, status: 201, keys: project, as: 'temporary' },
  {
    method: 'POST',
    path: '/projects',
    body: { project_id: '00010203-0405-0607-0809-0a0b0c0d0e0f' },
    status: 201,
    keys: project,
    values: { project_id: '00010203-0405-0607-0809-0a0b0c0d0e0f', temporary: false },
    as: 'project',
  },
  { method: 'POST', path: '/projects', body: { project_id: '00010203-0405-0607-0809-0a0b0c0d0e0f' }, status: 201 },
  { method: 'GET', path: '/projects/{project}', status: 200, keys: project, route: '/projects/{project_id}' },
  { method: 'GET', path: `/projects/${absent}`, status: 404, keys: error },
  { method: 'GET', path: '/projects/none', status: 400, keys: error },
  {
    method: 'PUT',
    path: '/projects/{temporary}',
    body: { temporary: false },
    status: 200,
    keys: project,
    values: { temporary: false },
  },
  { method: 'PUT', path: '/projects/{project}', body: { path: '/tmp/elsewhere' }, status: 403, keys: error },
  { method: 'POST', path: '/projects/{temporary}/commit', status: 204, route: '/projects/{project_id}/commit' },
  { method: 'POST', path: `/projects/${absent}/commit`, status: 404, keys: error },
  { method: 'POST', path: '/projects/{temporary}/close', status: 204, route: '/projects/{project_id}/close' },
  { method: 'POST', path: `/projects/${absent}/close`, status: 404, keys: error },
  { method: 'DELETE', path: `/projects/${absent}`, status: 404, keys: error },
]

const server: readonly OriginalRequest[] = [
  { method: 'GET', path: '/version', status: 200, keys: ['version', 'local'], values: { version: '1.3.0alpha1' } },
  {
    method: 'POST',
    path: '/version',
    body: { version: '1.3.0alpha1' },
    status: 200,
    keys: ['version', 'local'],
    values: { version: '1.3.0alpha1' },
  },
  { method: 'POST', path: '/version', body: { version: '0.4.2' }, status: 409, keys: error, values: { status: 409 } },
  { method: 'POST', path: '/version', body: { version: '0.4.2', bla: 'blu' }, status: 400, keys: error },
  { method: 'POST', path: '/version', body: 'BOUM', status: 400, keys: error },
  { method: 'POST', path: '/ports/udp', status: 201, keys: ['udp_port'] },
  { method: 'GET', path: '/interfaces', status: 200 },
  { method: 'POST', path: '/config/reload', status: 403, keys: error },
]

const at = '/projects/{project}'
const template = '/projects/{project_id}'

/** The requests about instances of a kind: reading, its NIC and its deletion. */
const instance = (
  product: string,
  id: string,
  adapter: number,
  keys: readonly string[],
): readonly OriginalRequest[] => {
  const path = `${at}/${product}/vms/{${id}}`
  const route = `${template}/${product}/vms/{vm_id}`
  const port = `${path}/adapters/${adapter}/ports/0/nio`
  return [
    { method: 'GET', path, status: 200, keys, route },
    { method: 'GET', path: path.replace(`{${id}}`, absent), status: 404, keys: error, route },
    { method: 'POST', path: port, body: udp(14_242), status: 201, keys: nio, route: `${route}/${nic}/nio` },
    { method: 'DELETE', path: port, status: 204, route: `${route}/${nic}/nio` },
    { method: 'DELETE', path: port, status: 204 },
    { method: 'POST', path: `${path}/stop`, status: 204, route: `${route}/stop` },
  ]
}

const removal = (product: string, id: string): OriginalRequest => ({
  method: 'DELETE',
  path: `${at}/${product}/vms/{${id}}`,
  status: 204,
  route: `${template}/${product}/vms/{vm_id}`,
})

const pcs: readonly OriginalRequest[] = [
  {
    method: 'POST',
    path: `${at}/vpcs/vms`,
    body: { name: 'PC TEST 1' },
    status: 201,
    keys: vpcs,
    values: { name: 'PC TEST 1', startup_script: null, startup_script_path: null },
    route: `${template}/vpcs/vms`,
    as: 'pc',
  },
  ...instance('vpcs', 'pc', 0, vpcs),
  {
    method: 'POST',
    path: `${at}/vpcs/vms`,
    body: { name: 'PC TEST 1', startup_script: 'ip 192.168.1.2\necho TEST' },
    status: 201,
    keys: vpcs,
    values: { startup_script: 'ip 192.168.1.2\necho TEST', startup_script_path: 'startup.vpc' },
  },
  {
    method: 'PUT',
    path: `${at}/vpcs/vms/{pc}`,
    body: { name: 'test', startup_script: 'ip 192.168.1.1' },
    status: 200,
    keys: vpcs,
    values: { name: 'test', startup_script: 'ip 192.168.1.1' },
  },
  { method: 'POST', path: `${at}/vpcs/vms`, body: { name: 'old', vm_id: 1 }, status: 201, keys: vpcs },
  { method: 'POST', path: `${at}/vpcs/vms/{pc}/start`, status: 204, route: `${template}/vpcs/vms/{vm_id}/start` },
  { method: 'POST', path: `${at}/vpcs/vms/{pc}/reload`, status: 204, route: `${template}/vpcs/vms/{vm_id}/reload` },
  removal('vpcs', 'pc'),
]

const machines: readonly OriginalRequest[] = [
  {
    method: 'POST',
    path: `${at}/qemu/vms`,
    body: { name: 'PC TEST 1', qemu_path: 'qemu-system-x86_64' },
    status: 201,
    keys: qemu,
    values: { name: 'PC TEST 1', adapters: 1, adapter_type: 'e1000', ram: 256, process_priority: 'low' },
    route: `${template}/qemu/vms`,
    as: 'machine',
  },
  {
    method: 'POST',
    path: `${at}/qemu/vms`,
    body: { name: 'PC TEST 1', qemu_path: 'qemu-system-x86_64', ram: 1024, hda_disk_image: 'hda' },
    status: 201,
    keys: qemu,
    values: { ram: 1024, hda_disk_image: 'hda' },
    as: 'diskless',
  },
  { method: 'POST', path: `${at}/qemu/vms/{diskless}/start`, status: 409, keys: error, needsQemu: true },
  { method: 'PUT', path: `${at}/qemu/vms/{machine}`, body: { adapters: 2 }, status: 200, keys: qemu },
  ...instance('qemu', 'machine', 1, qemu),
  ...(['start', 'suspend', 'resume', 'reload', 'stop'] as const).map(
    (action): OriginalRequest => ({
      method: 'POST',
      path: `${at}/qemu/vms/{machine}/${action}`,
      status: 204,
      route: `${template}/qemu/vms/{vm_id}/${action}`,
      needsQemu: true,
    }),
  ),
  {
    method: 'PUT',
    path: `${at}/qemu/vms/{machine}`,
    body: { name: 'test', ram: 1024, hdb_disk_image: 'hdb' },
    status: 200,
    keys: qemu,
    values: { name: 'test', ram: 1024, hdb_disk_image: 'hdb' },
  },
  { method: 'GET', path: '/qemu/binaries', status: 200, route: '/qemu/binaries' },
  removal('qemu', 'machine'),
]

const capture = { capture_file_name: 'test.pcap', data_link_type: 'DLT_EN10MB' }

const routers: readonly OriginalRequest[] = [
  {
    method: 'POST',
    path: `${at}/iou/vms`,
    body: { name: 'PC TEST 1', path: 'iou.bin' },
    status: 201,
    keys: iou,
    values: { serial_adapters: 2, ethernet_adapters: 2, ram: 256, nvram: 128, l1_keepalives: false },
    route: `${template}/iou/vms`,
    as: 'router',
  },
  ...instance('iou', 'router', 1, iou),
  {
    method: 'GET',
    path: `${at}/iou/vms/{router}/initial_config`,
    status: 200,
    keys: ['content'],
    values: { content: null },
    route: `${template}/iou/vms/{vm_id}/initial_config`,
  },
  {
    method: 'POST',
    path: `${at}/iou/vms`,
    body: {
      ...{ name: 'PC TEST 1', path: 'iou.bin', ram: 1024, nvram: 512, serial_adapters: 4, ethernet_adapters: 0 },
      ...{ l1_keepalives: true, initial_config_content: 'hostname test' },
    },
    status: 201,
    keys: iou,
    values: { ram: 1024, nvram: 512, serial_adapters: 4, ethernet_adapters: 0, initial_config: 'initial-config.cfg' },
  },
  {
    method: 'PUT',
    path: `${at}/iou/vms/{router}`,
    body: {
      ...{ name: 'test', ram: 512, nvram: 2048, ethernet_adapters: 4, serial_adapters: 0 },
      ...{ l1_keepalives: true, initial_config_content: 'hostname test' },
    },
    status: 200,
    keys: iou,
    values: { name: 'test', ram: 512, nvram: 2048, ethernet_adapters: 4, serial_adapters: 0, l1_keepalives: true },
  },
  {
    method: 'GET',
    path: `${at}/iou/vms/{router}/initial_config`,
    status: 200,
    keys: ['content'],
    values: { content: 'hostname test' },
  },
  {
    method: 'POST',
    path: `${at}/iou/vms/{router}/adapters/0/ports/0/start_capture`,
    body: capture,
    status: 200,
    keys: ['pcap_file_path'],
    route: `${template}/iou/vms/{vm_id}/${nic}/start_capture`,
  },
  {
    method: 'POST',
    path: `${at}/iou/vms/{router}/adapters/0/ports/0/stop_capture`,
    status: 204,
    route: `${template}/iou/vms/{vm_id}/${nic}/stop_capture`,
  },
  removal('iou', 'router'),
]

const desktopVms: readonly OriginalRequest[] = [
  {
    method: 'POST',
    path: `${at}/virtualbox/vms`,
    body: { name: 'VM1', vmname: 'VM1', linked_clone: false, adapters: 1 },
    status: 201,
    keys: virtualBox,
    values: { name: 'VM1', vmname: 'VM1', headless: false },
    route: `${template}/virtualbox/vms`,
    as: 'vm',
  },
  ...instance('virtualbox', 'vm', 0, virtualBox),
  {
    method: 'PUT',
    path: `${at}/virtualbox/vms/{vm}`,
    body: { name: 'test' },
    status: 200,
    keys: virtualBox,
    values: { name: 'test' },
  },
  removal('virtualbox', 'vm'),
]

const devices = `${at}/dynamips/devices`
const inDevice = `${template}/dynamips/devices/{device_id}`

const switches: readonly OriginalRequest[] = [
  {
    method: 'POST',
    path: devices,
    body: { name: 'SW1', device_type: 'ethernet_switch' },
    status: 201,
    keys: device,
    route: `${template}/dynamips/devices`,
    as: 'switch',
  },
  { method: 'GET', path: `${devices}/{switch}`, status: 200, keys: device, route: inDevice },
  { method: 'GET', path: `${devices}/${absent}`, status: 404, keys: error },
  {
    method: 'POST',
    path: `${devices}/{switch}/ports/1/nio`,
    body: { nio: udp(14_250), port_settings: { type: 'access', vlan: 1 } },
    status: 201,
    keys: nio,
    route: `${inDevice}/ports/{port_number:\\d+}/nio`,
  },
  {
    method: 'PUT',
    path: `${devices}/{switch}`,
    body: { name: 'SW2', ports: [{ port: 1, type: 'dot1q', vlan: 5 }] },
    status: 200,
    keys: device,
    values: { name: 'SW2', ports: [{ port: 1, type: 'dot1q', vlan: 5 }] },
  },
  {
    method: 'POST',
    path: `${devices}/{switch}/ports/1/start_capture`,
    body: { ...capture, capture_file_name: 'switch.pcap' },
    status: 200,
    keys: ['pcap_file_path'],
    route: `${inDevice}/ports/{port_number:\\d+}/start_capture`,
  },
  { method: 'POST', path: `${devices}/{switch}/ports/1/stop_capture`, status: 204 },
  { method: 'DELETE', path: `${devices}/{switch}/ports/1/nio`, status: 204 },
  { method: 'DELETE', path: `${devices}/{switch}/ports/1/nio`, status: 204 },
  { method: 'DELETE', path: `${devices}/{switch}`, status: 204, route: inDevice },
]

/** In their order: later requests use the ids that earlier ones have made. */
export const originalRequests: readonly OriginalRequest[] = [
  ...server,
  ...projects,
  ...pcs,
  ...machines,
  ...routers,
  ...desktopVms,
  ...switches,
  { method: 'DELETE', path: at, status: 204, route: template },
]
