import { describe, expect, it } from 'vitest'
import { type MachineCommand, machineParameters } from './command-line.ts'

const adapter = {
  card: 'e1000',
  mac: '0e:00:00:00:00:00',
  remotePort: 14343,
  localAddress: '127.1.2.3',
  localPort: 14242,
}

const machine: MachineCommand = {
  name: 'Q1',
  memoryMegabytes: 32,
  accelerator: 'tcg',
  disks: [{ path: '/p/flash.qcow2', format: 'qcow2', index: 0 }],
  initialRamDisk: '',
  kernelImage: '',
  kernelCommandLine: '',
  options: [],
  adapters: [adapter],
  legacyNetworking: false,
  version: { text: '7.2.22', major: 7, minor: 2 },
  sandbox: true,
  display: 'std',
  controlSocket: 3,
  consoleSocket: 4,
}

const line = (changes: Partial<MachineCommand> = {}) => machineParameters({ ...machine, ...changes }).join(' ')

describe('machineParameters', () => {
  it('returns the arguments in the order that GNS3 uses', () => {
    expect(
      line({
        initialRamDisk: '/i/rd',
        kernelImage: '/i/k',
        kernelCommandLine: 'console=ttyS0 x',
        options: ['-smp', '2'],
      }),
    ).toBe(
      [
        '-sandbox on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny -nodefaults -vga std',
        '-name guest=Q1 -m 32 -accel tcg -drive file=/p/flash.qcow2,format=qcow2,index=0,media=disk',
        '-initrd /i/rd -kernel /i/k -append console=ttyS0 x',
        '-chardev socket,id=console,fd=4 -serial chardev:console',
        '-chardev socket,id=control,fd=3 -mon chardev=control,mode=control -monitor none -smp 2',
        '-device e1000,mac=0e:00:00:00:00:00,netdev=nic0,romfile=',
        '-netdev socket,id=nic0,udp=127.0.0.1:14343,localaddr=127.1.2.3:14242 -nographic',
      ].join(' '),
    )
  })

  it('keeps boot ROMs of machines without a kernel, which can boot from the network', () => {
    expect(line()).toContain('netdev=nic0 -netdev')
  })

  it('escapes commas in names and paths, and refuses them in the path of an initrd', () => {
    const words = machineParameters({
      ...machine,
      name: 'a,process=b',
      disks: [{ path: '/p,x/f', format: 'qcow2', index: 1 }],
    })
    expect(words).toContain('guest=a,,process=b')
    expect(words).toContain('file=/p,,x/f,format=qcow2,index=1,media=disk')
    expect(() => machineParameters({ ...machine, initialRamDisk: '/i/a,/etc/shadow' })).toThrow('comma')
  })

  it('leaves acceleration to the options, and uses the syntax of the version', () => {
    expect(line({ accelerator: undefined })).not.toContain('-accel')
    expect(line({ version: { text: '2.8.0', major: 2, minor: 8 } })).toContain('-machine accel=tcg')
  })

  it('disables the network without adapters', () => {
    expect(line({ adapters: [] })).toContain('-net none')
  })

  it('attaches adapters after the first 24 to a bridge', () => {
    const words = line({ adapters: Array.from({ length: 26 }, () => adapter) })
    expect(words).toContain('-device pci-bridge,id=nics,chassis_nr=1')
    expect(words).toContain('netdev=nic23 ')
    expect(words).toContain('netdev=nic24,bus=nics,addr=1 ')
    expect(words).toContain('netdev=nic25,bus=nics,addr=2 ')
  })

  it('uses the legacy syntax of the version', () => {
    const legacy = { legacyNetworking: true, adapters: [{ ...adapter, card: 'virtio-net-pci' }] }
    expect(line(legacy)).toContain(
      '-net nic,netdev=nic0,macaddr=0e:00:00:00:00:00,model=virtio -netdev socket,id=nic0,udp=127.0.0.1:14343',
    )
    expect(line({ ...legacy, version: { text: '2.8.1', major: 2, minor: 8 } })).toContain(
      '-net nic,vlan=0,macaddr=0e:00:00:00:00:00,model=virtio -net udp,vlan=0,name=nic0,sport=14242,dport=14343,daddr=127.0.0.1',
    )
  })

  it('adds no default device that the options set or exclude', () => {
    expect(line({ options: ['-nodefaults'] }).match(/-nodefaults|-vga/g)).toEqual(['-nodefaults'])
    expect(line({ options: ['-vga', 'none'] }).match(/-vga \w+/g)).toEqual(['-vga none'])
    expect(line({ display: undefined })).not.toContain('-vga')
    expect(line({ sandbox: false })).not.toContain('-sandbox')
  })

  it('adds the option for no display only once', () => {
    expect(line({ options: ['-nographic'] }).match(/-nographic/g)).toHaveLength(1)
  })
})
