import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shellLine } from '../processes/shell-words.ts'
import { chooseAcceleration, readOptions } from './option-policy.ts'
import { harmlessOptions, replacements } from './option-rules.ts'

const argumentNames = [...Object.keys(harmlessOptions), ...Object.keys(replacements), 'drive', 'netdev', 'object']

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
    '-machine q35,smbios-entry-point-type=32 --machine pc-i440fx-4.2 -M realview-eb-mpcore',
    '-vga qxl -vga virtio -usbdevice tablet',
    '-cpu Penryn,kvm=on,vendor=GenuineIntel',
    '-fw_cfg name=opt/vm_hostname,string=%vm-name%',
    '-uuid %vm-id%',
    '-smbios type=1,uuid=%project-id%',
    '-fw_cfg "opt/org.example/key,string=a b"',
    '-smp 2,maxcpus=2',
    '-smp 72',
    "-smbios type=2,product='440BX Desktop Reference Platform'",
    '-smbios type=1,product=TIMOS:license-file=cf3:license.txt\\ slot=A\\ chassis=SR-1\\ mda/1=me12-100gb-qsfp28',
    '-smbios type=11,value=a,,b',
    "-device isa-applesmc,osk='(c)words'",
    '-device ide-hd,drive=hda,bootindex=1 -device virtio-scsi-pci,id=s -device scsi-hd,drive=hdb,bus=s.0',
    `-device '{"driver":"usb-tablet","id":"t0","multifunction":false}'`,
    '-device driver=usb-tablet,id=t0',
    '-serial mon:stdio -nographic',
    '-soundhw es1370 -hdachs 980,16,32 -monitor none',
  ])('accepts the options %j', (line) => {
    expect(() => read(line)).not.toThrow()
  })

  it.each([
    `-cpu x${',-a'.repeat(64)}!`,
    '-device VGA,vgamem_mb=512',
    '-device qxl,vram_size_mb=4096',
    '-global VGA.vgamem_mb=4096',
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
    '-smp 256',
    '-smp 2,evil=1',
    '-smp 2,,file=x',
    '-cpu host,x=/etc/shadow',
    '-machine type=pc,accel=evil',
    "-smp '2\n-drive'",
    '-nographic=1',
    '-accel tcg,tb-size=100000',
    // Other spellings of QEMU's grammar.
    '-device usb-tablet,,romfile=/etc/shadow',
    '-device driver=usb-tablet,romfile=/etc/shadow',
    `-device '{"driver":"e1000","romfile":"/etc/shadow"}'`,
    `-device '{"driver":"usb-tablet","romfile":"/etc/shadow"}'`,
    `-device '{"driver":"usb-tablet","id":{"a":"b"}}'`,
    `-device "{'driver':'usb-tablet'}"`,
    `-netdev '{"type":"user","id":"n"}'`,
    `-object '{"qom-type":"secret","id":"s","file":"/etc/shadow"}'`,
    `-audiodev '{"driver":"wav","path":"/tmp/x"}'`,
    '-audiodev wav,id=a,path=/tmp/x',
    '-smbios type=1,product=x,file=/etc/shadow',
    '-smbios type=1,product=x,,file=/etc/shadow,path=/etc/shadow',
    '-smbios type=1,nofile',
    '-fw_cfg name=opt/x,string=a,file=/etc/shadow',
    '-fw_cfg name=etc/x,string=a',
    '-fw_cfg name=opt/../x,string=a',
    '-fw_cfg name=opt/ovmf/X-PciMmio64,string=a',
    '-device ide-hd,drive=flash',
    '-device usb-storage,drive=/dev/sda',
    '-device virtio-blk-pci,drive=hda,write-cache=on,iothread=x',
    '-device virtserialport,chardev=console',
    '-device isa-debugcon,chardev=control',
    '-device virtio-rng-pci,rng=x',
    '-device virtio-9p-pci,fsdev=f,mount_tag=t',
    '-device scsi-block,drive=hda',
    '-device scsi-generic,drive=hda',
    '-device ivshmem-plain,memdev=m',
    '-device vhost-vsock-pci,guest-cid=3',
    '-device AC97',
    '-soundhw all',
    '-serial file:/tmp/x',
    '-serial stdio,x',
    '-monitor /dev/ttyS0',
    '-hdachs 1,2,3,/etc/shadow',
    '-machine pc,memory-backend=m',
    '-machine pc,pflash0=n',
    '-M pc,firmware=/etc/shadow',
    '-global ide-hd.drive=hda',
    '-cdrom x.iso',
    '-vnc unix:/tmp/x',
    '-bios=/etc/shadow',
  ])('refuses the options %j', (line) => {
    const read = () => readOptions(line === '' ? "''" : line, { trusted: false })
    expect(read).toThrow(expect.objectContaining({ name: 'Refusal', reason: 'not-allowed' }))
  })

  it('replaces the names of the machine, and escapes their commas', () => {
    const names = { 'vm-name': 'R1', 'vm-id': 'i', 'project-id': 'p' }
    expect(readOptions('-fw_cfg name=opt/host,string=%vm-name%.%project-id%', { trusted: false, names })).toEqual([
      '-fw_cfg',
      'opt/host,string=R1.p',
    ])
    const evil = { ...names, 'vm-name': 'x,file=/etc/shadow' }
    expect(readOptions('-smbios type=1,product=%vm-name%', { trusted: false, names: evil })).toEqual([
      '-smbios',
      'type=1,product=x,,file=/etc/shadow',
    ])
    expect(() => readOptions('-cpu %vm-name%', { trusted: false, names: evil })).toThrow('-cpu')
    const spaced = { ...names, 'vm-name': 'x -drive file=y' }
    expect(readOptions('-smbios type=1,product=%vm-name%', { trusted: false, names: spaced })).toHaveLength(2)
  })

  it('leaves out what the machine has anyway, and replaces what QEMU no longer has', () => {
    expect(read('-serial mon:stdio -monitor none -nographic')).toEqual(['-nographic'])
    expect(read('-soundhw es1370')).toEqual(['-audiodev', 'none,id=silent', '-device', 'ES1370,audiodev=silent'])
    expect(read('-hdachs 980,16,32').join(' ')).toBe(
      '-global ide-hd.cyls=980 -global ide-hd.heads=16 -global ide-hd.secs=32',
    )
  })

  it('accepts no argument that names a file, a socket, a program or a device of the host', () => {
    // Properties of QEMU whose values open something, and values that do.
    const names = new Set([
      ...[
        'file',
        'filename',
        'path',
        'romfile',
        'mem-path',
        'script',
        'downscript',
        'fd',
        'vhostfd',
        'chardev',
        'netdev',
      ],
      ...['rng', 'fsdev', 'memdev', 'memory-backend', 'firmware', 'dtb', 'dumpdtb', 'pflash0', 'logfile', 'rrfile'],
      ...['host', 'hostbus', 'hostaddr', 'sysfsdev', 'splash', 'tls-creds', 'audiodev', 'iothread', 'exec'],
    ])
    const opening = fc.constantFrom(...names)
    const argument = fc.constantFrom(...argumentNames)
    const harmless = fc.constantFrom(
      'usb-tablet',
      'pc',
      '2',
      'order=d',
      'type=1',
      'product=x',
      'id=a',
      'nomenu',
      'menu',
      'cpus=2',
    )
    const value = fc.constantFrom('/etc/shadow', 'x', 'unix:x', 'exec:x', 'n', '')
    const item = fc.oneof(
      harmless,
      fc.tuple(opening, value).map(([name, text]) => `${name}=${text}`),
      fc.tuple(opening).map(([name]) => name),
      fc.tuple(opening).map(([name]) => `no${name}`),
    )
    const separator = fc.constantFrom(',', ',,', ', ', ',,,')
    const line = fc
      .tuple(argument, fc.array(fc.tuple(item, separator), { minLength: 1, maxLength: 5 }))
      .map(([name, parts]) => [`-${name}`, parts.map(([text, comma]) => text + comma).join('')] as const)
    fc.assert(
      fc.property(line, ([option, text]) => {
        let words: readonly string[]
        try {
          words = read(shellLine([option, text]))
        } catch {
          return
        }
        // QEMU reads each accepted argument by its own grammar: what it finds must be of the list.
        for (const word of words.filter((each) => !each.startsWith('-'))) {
          for (const part of word.replaceAll(',,', ';').split(',')) {
            const [name = ''] = part.split('=')
            expect(names.has(name.replace(/^no/, '')), `${option} ${text} became ${word}`).toBe(false)
          }
        }
      }),
      { numRuns: 20_000 },
    )
  }, 60_000)

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
