import type { DiskInterface } from '@trivium/emulation-core/ports'
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
  disks: [{ path: '/p/flash.qcow2', format: 'qcow2', index: 0, interface: 'ide' }],
  cdromImage: '',
  biosImage: '',
  uefi: undefined,
  bootPriority: 'c',
  cpus: 1,
  maxCpus: 1,
  serialPorts: 1,
  screen: { type: 'none' },
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
        '-name guest=Q1 -m 32 -accel tcg -drive file=/p/flash.qcow2,format=qcow2,index=0,media=disk -boot order=c',
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
      disks: [{ path: '/p,x/f', format: 'qcow2', index: 1, interface: 'ide' }],
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
    expect(words).toContain('netdev=nic24,bus=nics,addr=0x1,')
    expect(words).toContain('netdev=nic25,bus=nics,addr=0x2,')
  })

  it('puts more adapters in the slots of a second bridge, so that 275 need two bridges', () => {
    const words = line({ adapters: Array.from({ length: 275 }, () => adapter) })
    expect(words).toContain('-device pci-bridge,id=nics1,chassis_nr=2,bus=nics,addr=0x1f ')
    expect(words).toContain('netdev=nic53,bus=nics,addr=0x1e,')
    expect(words).toContain('netdev=nic54,bus=nics1,addr=0x1.0,multifunction=on,')
    expect(words).toContain('netdev=nic274,bus=nics1,addr=0x1c.4,multifunction=on,')
    expect(words.match(/pci-bridge/g)).toHaveLength(2)
  })

  it('attaches each disk to its bus', () => {
    const disk = (index: number, bus: DiskInterface) => ({
      path: `/p/${index}`,
      format: 'qcow2',
      index,
      interface: bus,
    })
    const on = (...disks: readonly DiskInterface[]) => line({ disks: disks.map((bus, index) => disk(index, bus)) })
    expect(on('sata', 'sata')).toContain(
      '-device ahci,id=sata -drive file=/p/0,format=qcow2,if=none,id=hda,media=disk -device ide-hd,drive=hda,bus=sata.0 -drive file=/p/1,format=qcow2,if=none,id=hdb,media=disk -device ide-hd,drive=hdb,bus=sata.1 ',
    )
    expect(on('scsi')).toContain('-device virtio-scsi-pci,id=scsi -drive')
    expect(on('scsi')).toContain('-device scsi-hd,drive=hda,bus=scsi.0,scsi-id=0 ')
    expect(on('ide', 'virtio')).toContain('file=/p/1,format=qcow2,if=virtio,index=1,media=disk ')
    expect(on('nvme')).toContain('-device nvme,drive=hda,serial=hda ')
    expect(on('none')).toContain('if=none,id=hda,media=disk -boot')
  })

  it('puts a CD-ROM in a free place, read-only', () => {
    const cdrom = { cdromImage: '/i/a,b.iso' }
    expect(line(cdrom)).toContain('-drive file=/i/a,,b.iso,format=raw,index=2,media=cdrom,readonly=on ')
    const disk = { path: '/p/2', format: 'qcow2', index: 2, interface: 'ide' } as const
    expect(line({ ...cdrom, disks: [disk] })).toContain('index=3,media=cdrom')
    expect(() => line({ ...cdrom, disks: [disk, { ...disk, index: 3 }] })).toThrow('no place for a CD-ROM')
    expect(line({ ...cdrom, disks: [disk, { ...disk, index: 3, interface: 'sata' }] })).toContain('index=3,media=cdrom')
  })

  it('adds firmware, boot order, processors, serial ports and a screen', () => {
    expect(line({ biosImage: '/i/bios.bin', bootPriority: 'dc' })).toMatch(/ -bios \/i\/bios.bin .* -boot order=dc /)
    expect(line({ uefi: { code: '/f/code', variables: '/p/v,1' } })).toContain(
      '-drive file=/f/code,format=raw,if=pflash,unit=0,readonly=on -drive file=/p/v,,1,format=raw,if=pflash,unit=1 ',
    )
    expect(line({ cpus: 2 })).toContain(' -smp cpus=2,maxcpus=2 ')
    expect(line({ cpus: 2, maxCpus: 4 })).toContain(' -smp cpus=2,maxcpus=4 ')
    expect(line({ cpus: 2, options: ['-smp', '4'] }).match(/-smp \S+/g)).toEqual(['-smp 4'])
    expect(line({ serialPorts: 3 })).toContain(' -serial chardev:console -serial null -serial null -chardev')
    expect(line({ screen: { type: 'vnc' } })).toMatch(/ -vnc unix:vnc.sock,share=force-shared .* -display none$/)
    expect(line({ screen: { type: 'spice', agent: false } })).toMatch(
      / -spice unix=on,addr=spice\.sock,disable-ticketing=on -device e1000\S* -netdev \S+$/,
    )
    expect(line({ screen: { type: 'spice', agent: true } })).toContain('name=com.redhat.spice.0')
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
