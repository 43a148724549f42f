import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseAcceleration, readOptions } from './option-policy.ts'

const read = (line: string) => readOptions(line, { trusted: false })

describe('readOptions', () => {
  it.each([
    '',
    '-nographic',
    '-smp 2',
    '-smp cpus=4,cores=2,threads=2',
    '-cpu host,+vmx,-svm,hv_relaxed',
    '-machine q35,accel=kvm:tcg,usb=off',
    '-M pc',
    '-accel tcg,thread=multi',
    '-enable-kvm -no-reboot --no-shutdown',
    '-boot order=dc,menu=on',
    '-boot d',
    '-vga std -usb -usbdevice tablet',
    '-rtc base=utc,clock=host',
    '-uuid 6f2a3f0e-52f4-4d0c-9f9b-1d0a5f3c8a11',
    `-smbios 'type=1,manufacturer=Some Firm,product=VM-1,serial=abc'`,
    '-device usb-tablet,id=t0 -device virtio-rng-pci',
    '-global PIIX4_PM.disable_s3=1',
    '-icount shift=auto,sleep=on',
    '-watchdog-action reset -display none -S',
  ])('accepts the options %j', (line) => {
    expect(() => read(line)).not.toThrow()
  })

  it.each([
    // Files of the host.
    '-drive file=/etc/shadow,format=raw',
    '-hda /etc/shadow',
    '-cdrom /etc/shadow',
    '-kernel /etc/shadow',
    '-initrd /etc/shadow',
    '-dtb /etc/shadow',
    '-bios /etc/shadow',
    '-pflash /etc/shadow',
    '-option-rom /etc/shadow',
    '-acpitable file=/etc/shadow',
    '-smbios file=/etc/shadow',
    '-smbios type=11,path=/etc/shadow',
    '-fw_cfg name=opt/x,file=/etc/shadow',
    '-blockdev driver=file,filename=/etc/shadow,node-name=n',
    '-readconfig /etc/shadow',
    '-mem-path /dev/shm',
    '-object memory-backend-file,id=m,mem-path=/etc/shadow,size=1M',
    '-object secret,id=s,file=/etc/shadow',
    '-virtfs local,path=/,mount_tag=h,security_model=none',
    '-fsdev local,id=f,path=/,security_model=none',
    '-D /tmp/x',
    '-pidfile /tmp/x',
    '-debugcon file:/tmp/x',
    '-trace file=/tmp/x',
    '-loadvm x',
    '-L /tmp',
    '-k ../../etc/shadow',
    '-boot splash=/etc/shadow',
    '-machine pc,firmware=/etc/shadow',
    '-machine pc,dumpdtb=/tmp/x',
    '-device e1000,romfile=/etc/shadow',
    '-device usb-tablet,romfile=/etc/shadow',
    '-global e1000.romfile=/etc/shadow',
    '-set device.x.romfile=/etc/shadow',
    '-icount shift=1,rr=record,rrfile=/tmp/x',
    '-add-fd fd=3,set=1',
    // Sockets.
    '-serial tcp:0.0.0.0:1,server',
    '-monitor telnet:0.0.0.0:1,server',
    '-qmp tcp:0.0.0.0:1,server',
    '-chardev socket,id=c,host=0.0.0.0,port=1,server=on',
    '-mon chardev=console',
    '-vnc :1',
    '-spice port=1',
    '-gdb tcp::1',
    '-s',
    '-incoming tcp:0:1',
    '-netdev user,id=n',
    '-nic user,hostfwd=tcp::1-:1',
    '-net user',
    '-display vnc=:1',
    '-watchdog-action exec:x',
    // Scripts, programs, devices, the process.
    '-netdev tap,id=n,script=/tmp/x',
    '-device vfio-pci,host=01:00.0',
    '-device usb-host,hostbus=1',
    '-device loader,file=/etc/shadow,addr=0',
    '-usbdevice serial:/dev/ttyS0',
    '-tpmdev passthrough,id=t,path=/dev/tpm0',
    '-parallel /dev/parport0',
    '-plugin /tmp/x.so',
    '-runas root',
    '-chroot /',
    '-daemonize',
    '-sandbox off',
    '-xen-attach',
    '-incoming exec:true',
    // Settings that the instance has fields for, and words that are not options.
    '-m 100000',
    '-name x,process=y',
    '/etc/shadow',
    'json:{}',
    '',
    '-',
    '--',
    '- smp 2',
    '-SMP 2',
    '-__proto__ x',
    '-constructor x',
    '-smp',
    '-smp 100',
    '-smp 2,evil=1',
    '-smp 2,,file=x',
    '-cpu host,x=/etc/shadow',
    '-machine type=pc,accel=evil',
    "-smp '2\n-drive'",
    '-nographic=1',
    '-accel tcg,tb-size=100000',
  ])('refuses the options %j', (line) => {
    const read = () => readOptions(line === '' ? "''" : line, { trusted: false })
    expect(read).toThrow(expect.objectContaining({ name: 'Refusal', reason: 'not-allowed' }))
  })

  it('refuses options that are too long', () => {
    expect(() => read('-S '.repeat(300))).toThrow('words')
    expect(() => read(`-uuid ${'x'.repeat(9000)}`)).toThrow('characters')
  })

  it('refuses every path, address and program', () => {
    const evil = fc.constantFrom(
      '/etc/shadow',
      'tcp:0:1',
      'unix:x',
      'file:x',
      'exec:x',
      '../x',
      'script=x',
      'file=x',
      'path=x',
    )
    const flag = fc.constantFrom(
      '-smp',
      '-cpu',
      '-machine',
      '-M',
      '-accel',
      '-boot',
      '-rtc',
      '-device',
      '-global',
      '-vga',
      '-icount',
      '-action',
    )
    const head = fc.constantFrom('', '2,', 'host,', 'pc,', 'd,', 'usb-tablet,', 'a=', 'id=', 'e1000.rom=')
    fc.assert(
      fc.property(flag, head, evil, (option, before, after) => {
        // No property of a processor names a resource of the host.
        fc.pre(option !== '-cpu' || !after.endsWith('=x'))
        expect(() => read(`${option} ${before}${after}`)).toThrow()
      }),
    )
  })

  it('accepts every line that can be split when the host trusts options', () => {
    expect(readOptions('-drive file=/etc/shadow x', { trusted: true })).toEqual(['-drive', 'file=/etc/shadow', 'x'])
    expect(() => readOptions("'", { trusted: true })).toThrow('quote')
  })
})

describe('chooseAcceleration', () => {
  it.each([
    ['-accel tcg', true],
    ['-enable-kvm', true],
    ['-machine pc,accel=tcg', true],
    ['-M accel=tcg', true],
    ['-machine pc', false],
    ['-smp 2', false],
  ])('returns for the options %j: %s', (line, expected) => {
    expect(chooseAcceleration(read(line))).toBe(expected)
  })
})
