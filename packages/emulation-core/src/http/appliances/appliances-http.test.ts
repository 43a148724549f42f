import { beforeEach, describe, expect, it } from 'vitest'
import { createHttpLab, type HttpLab } from '../../../tests/http-lab.ts'
import { memoryDiskImages } from '../../memory/index.ts'

const project = '11111111-1111-4111-8111-111111111111'
const APPLIANCES = `/v1/projects/${project}/emu1/appliances`

const file = {
  name: 'Router/OS',
  category: 'router',
  registry_version: 4,
  usage: 'The password is empty.',
  qemu: {
    arch: 'i386',
    ram: 512,
    cpus: 2,
    adapters: 8,
    adapter_type: 'virtio-net-pci',
    console_type: 'vnc',
    boot_priority: 'dc',
    hda_disk_interface: 'virtio',
    kvm: 'disable',
    options: '-nographic',
  },
  images: [
    { filename: 'r-2.img', version: '2', md5sum: 'A'.repeat(32), filesize: 4, download_url: 'https://a.example/' },
    { filename: 'r-1.img', version: '1', md5sum: 'd'.repeat(32), filesize: 4 },
    { filename: 'empty.qcow2', version: '1', md5sum: '1'.repeat(32), filesize: 1 },
  ],
  versions: [
    { name: '2', images: { hda_disk_image: 'r-2.img', cdrom_image: 'empty.qcow2' } },
    { name: '1', images: { hda_disk_image: 'r-1.img' } },
  ],
}

describe('an appliance file', () => {
  let lab: HttpLab
  beforeEach(async () => {
    lab = createHttpLab({}, { diskImages: memoryDiskImages() })
    await lab.call('POST', '/v1/projects', { project_id: project })
  })

  it('becomes a machine of its first version, with the images that the machine needs', async () => {
    expect(await lab.call('POST', '/v1/disk-images', { name: 'empty.qcow2', format: 'raw', size_mb: 1 })).toMatchObject(
      {
        status: 201,
      },
    )
    const { status, body } = await lab.call('POST', APPLIANCES, file)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        name: 'Router-OS',
        emu1_path: 'qemu-system-i386',
        ram: 512,
        cpus: 2,
        adapters: 8,
        adapter_type: 'virtio-net-pci',
        console_type: 'vnc',
        boot_priority: 'dc',
        hda_disk_image: 'r-2.img',
        hda_disk_interface: 'virtio',
        cdrom_image: 'empty.qcow2',
        options: '-nographic -accel tcg',
        usage: 'The password is empty.',
        images: [
          {
            slot: 'hda_disk_image',
            name: 'r-2.img',
            bytes: 4,
            md5: 'a'.repeat(32),
            download_url: 'https://a.example/',
            state: 'missing',
          },
          {
            slot: 'cdrom_image',
            name: 'empty.qcow2',
            bytes: 1,
            md5: '1'.repeat(32),
            download_url: null,
            state: 'ready',
          },
        ],
      },
    })
    expect((await lab.call('GET', `/v1/projects/${project}/emu1/vms`)).body).toMatchObject([{ name: 'Router-OS' }])
  })

  it.each([
    ['-machine accel=tcg -icount auto', '-machine accel=tcg -icount auto'],
    ['-enable-kvm', '-enable-kvm'],
    ['-nographic', '-nographic -accel tcg'],
    [undefined, '-accel tcg'],
  ])('keeps the accelerator that the options %s choose, and has none otherwise', async (options, expected) => {
    const answer = await lab.call('POST', APPLIANCES, { name: 'A', qemu: { kvm: 'disable', options } })
    expect(answer).toMatchObject({ status: 201, body: { options: expected } })
  })

  it('has the image of its own version where two versions have a file of one name', async () => {
    const same = (version: string, digit: string) => ({ filename: 'a.img', version, md5sum: digit.repeat(32) })
    const versions = ['1', '2'].map((name) => ({ name, images: { hda_disk_image: 'a.img' } }))
    const twice = { name: 'A', qemu: {}, images: [same('1', 'a'), same('2', 'b')], versions }
    const md5Of = async (version: string) => (await lab.call('POST', `${APPLIANCES}?version=${version}`, twice)).body
    expect(await md5Of('1')).toMatchObject({ images: [{ md5: 'a'.repeat(32) }] })
    expect(await md5Of('2')).toMatchObject({ images: [{ md5: 'b'.repeat(32) }] })
  })

  it('leaves out addresses that are not of the web, and what is not a checksum', async () => {
    const images = [{ filename: 'a.img', md5sum: 'x', download_url: 'javascript:alert(1)' }]
    const body = { name: 'A', qemu: {}, images, versions: [{ name: '1', images: { hda_disk_image: 'a.img' } }] }
    const answer = await lab.call('POST', APPLIANCES, body)
    expect(answer.body).toMatchObject({ images: [{ md5: null, download_url: null }] })
  })

  it('becomes a machine of another version, with another name', async () => {
    const answer = await lab.call('POST', `${APPLIANCES}?version=1&name=R1`, file)
    expect(answer).toMatchObject({ status: 201, body: { name: 'R1', hda_disk_image: 'r-1.img', cdrom_image: '' } })
  })

  it('has the settings that its version names in files of the later form', async () => {
    const standard = { adapters: 3, ram: 256, platform: 'aarch64' }
    const later = {
      name: 'Later',
      registry_version: 8,
      settings: [
        { template_type: 'docker', name: 'docked', template_properties: { image: 'a:latest' } },
        { template_type: 'qemu', name: 'standard', default: true, template_properties: standard },
        { template_type: 'qemu', name: 'small', template_properties: { ram: 64, adapters: null } },
        { template_type: 'qemu', name: 'own', inherit_default_properties: false, template_properties: { ram: 32 } },
      ],
      images: [{ filename: 'l.img', version: '1', checksum: 'A'.repeat(32), checksum_type: 'md5', filesize: 1 }],
      versions: [
        { name: '3', settings: 'small' },
        { name: '2', settings: 'own' },
        { name: '1', images: { hda_disk_image: 'l.img' } },
        { name: 'container', settings: 'docked' },
      ],
    }
    const machineOf = async (version: string) =>
      (await lab.call('POST', `${APPLIANCES}?version=${version}`, later)).body
    expect(await machineOf('3')).toMatchObject({ adapters: 3, ram: 64, emu1_path: 'qemu-system-aarch64' })
    expect(await machineOf('2')).toMatchObject({ adapters: 1, ram: 32, emu1_path: 'qemu-system-x86_64' })
    expect(await machineOf('container')).toMatchObject({
      message: "The appliance has no version 'container' with settings for QEMU. Its versions are: 3, 2, 1, container.",
    })
    expect(await machineOf('1')).toMatchObject({
      adapters: 3,
      ram: 256,
      images: [{ md5: 'a'.repeat(32), state: 'missing' }],
    })
  })

  it.each([
    ['has another checksum', { md5: '9'.repeat(32), sha256: '9' }, 'different'],
    ['has the checksum', { md5: 'd'.repeat(32), sha256: '9' }, 'ready'],
    ['has another size, and a checksum of another sort', { md5: undefined, sha256: '9' }, 'different'],
    ['has no checksum, as one that was created', { md5: undefined, sha256: undefined }, 'ready'],
    ['has another size and was not inspected yet', undefined, 'different'],
  ])('reports an image that %s', async (_, facts, state) => {
    const store = memoryDiskImages()
    const known = { format: 'raw', virtualBytes: 1, allocatedBytes: 1, backingFile: undefined }
    const image = { name: 'r-1.img', bytes: 1, modifiedAt: new Date(), facts: facts && { ...known, ...facts } }
    const kept = createHttpLab({}, { diskImages: { ...store, list: async () => [image] } })
    await kept.call('POST', '/v1/projects', { project_id: project })
    const { body } = await kept.call('POST', `${APPLIANCES}?version=1`, file)
    expect(body).toMatchObject({ images: [{ name: 'r-1.img', state }] })
  })

  it('reports images as unknown where the host keeps none', async () => {
    const none = createHttpLab()
    await none.call('POST', '/v1/projects', { project_id: project })
    const { body } = await none.call('POST', `${APPLIANCES}?version=1`, file)
    expect(body).toMatchObject({ images: [{ name: 'r-1.img', state: 'unknown' }] })
  })

  it('returns the field of the original under the product name', async () => {
    const named = createHttpLab({ productNames: true }, { diskImages: memoryDiskImages() })
    await named.call('POST', '/v1/projects', { project_id: project })
    const answer = await named.call('POST', `/v1/projects/${project}/qemu/appliances`, file)
    expect(answer).toMatchObject({ status: 201, body: { qemu_path: 'qemu-system-i386' } })
  })

  it.each([
    ['without settings for QEMU', { name: 'A' }, '', /no settings for QEMU/],
    ['without a name', { qemu: {} }, '', /'name' is a required property/],
    [
      'with more memory than a machine has',
      { name: 'A', qemu: { ram: 2 ** 40 } },
      '',
      /maximum of 1048576 in field 'qemu.ram'/,
    ],
    [
      'with a bus that does not exist',
      { name: 'A', qemu: { hda_disk_interface: 'tape' } },
      '',
      /in field 'qemu.hda_disk_interface'/,
    ],
    ['with images that are no list', { ...file, images: {} }, '', /'array' in field 'images'/],
    [
      'with an image name of several lines',
      { ...file, versions: [{ name: '1', images: { initrd: 'a\nb' } }] },
      '',
      /control characters in field 'versions.0.images.initrd'/,
    ],
    ['whose name would travel', { ...file, name: '..' }, '', /not a plain name in field 'name'/],
    ['with a list as settings', { name: 'A', qemu: [] }, '', /not of type 'object' in field 'qemu'/],
    [
      'with options as long as those of no machine',
      { name: 'A', qemu: { kvm: 'disable', options: 'x'.repeat(16_380) } },
      '',
      /is too long in field 'qemu.options'/,
    ],
    [
      'with a template that does not exist',
      { name: 'A', settings: [{ template_type: 'zzz' }] },
      '',
      /'zzz' is not the type of a template in field 'settings.0.template_type'/,
    ],
    ['for a version that it does not have', file, '?version=9', /no version '9'/],
    ['with a parameter that does not exist', file, '?verison=1', /verison/],
    ['that is no object', [], '', /not of type 'object'/],
  ])('returns 400 for a file %s, and makes no machine', async (_, body, query, message) => {
    const answer = await lab.call('POST', `${APPLIANCES}${query}`, body)
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(message) } })
    expect((await lab.call('GET', `/v1/projects/${project}/emu1/vms`)).body).toEqual([])
  })
})
