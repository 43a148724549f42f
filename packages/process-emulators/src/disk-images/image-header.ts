import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type DiskImageFormat, Refusal } from '@trivium/emulation-core/ports'

/** QEMU looks for formats in the first 2 KiB. The extensions of a qcow2 header are in its first cluster. */
const HEAD_BYTES = 65_536
/** QEMU reads as much of the descriptor of a VMDK. */
const DESCRIPTOR_BYTES = 20 * 512
const SECTOR = 512

/** Formats that QEMU knows, and that are not accepted, by their beginning. */
const unsupported: readonly (readonly [beginning: string, format: string])[] = [
  ['QED\0', 'qed'],
  ['LUKS\xba\xbe', 'luks'],
  ['WithoutFreeSpace', 'parallels'],
  ['WithouFreSpacExt', 'parallels'],
  ['Bochs Virtual HD Image', 'bochs'],
  ['#!/bin/sh\n#V2.0 Format', 'cloop'],
  ['COWD', 'vmdk3'],
]

/**
 * Finds the format of a file by its contents, without a program, and refuses those whose header can name another file, or
 * whose format is not accepted. Everything that is not another format is `raw`.
 */
export async function readHeader(path: string): Promise<DiskImageFormat> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const head = await readAt(file, 0, HEAD_BYTES)
    const beginning = head.subarray(0, 2048).toString('latin1')
    for (const [text, format] of unsupported) if (beginning.startsWith(text)) throw notAccepted(format)
    if (beginning.startsWith('QFI\xfb')) return checkQcow(head)
    if (beginning.startsWith('KDMV')) return await checkVmdk(head, file)
    if (isDescriptor(beginning)) throw refersToFiles('VMDK descriptor')
    if (beginning.startsWith('vhdxfile')) return 'vhdx'
    if (beginning.startsWith('conectix')) return checkVpc(head)
    return head.length >= 0x200 && head.readUInt32LE(0x40) === 0xbeda107f ? checkVdi(head) : 'raw'
  } finally {
    await file.close()
  }
}

/** Whether the text is a VMDK that lists files: comments and empty lines, and then its version. */
const isDescriptor = (beginning: string): boolean =>
  /^version[ \t]*=/i.test(
    beginning
      .split('\n')
      .map((line) => line.trim())
      .find((line) => line !== '' && !line.startsWith('#')) ?? '',
  )

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Bits of a qcow2 that a reader has to know: lazy refcounts that are not written, zstd, and extended L2 entries. */
const KNOWN_FEATURES = 0b11001n
const EXTERNAL_DATA = 0x44415441

function checkQcow(head: Buffer): DiskImageFormat {
  requireLength(head, 72)
  const version = head.readUInt32BE(4)
  if (version !== 2 && version !== 3) throw notAccepted(`qcow${version}`)
  if (head.readBigUInt64BE(8) !== 0n || head.readUInt32BE(16) !== 0) throw refersToFiles('backing file')
  const clusterBits = head.readUInt32BE(20)
  if (clusterBits < 9 || clusterBits > 21) throw damaged()
  if (head.readUInt32BE(32) !== 0) throw notAccepted('encrypted qcow2')
  if (version === 2) return checkExtensions(head, 72)
  requireLength(head, 104)
  const features = head.readBigUInt64BE(72)
  if ((features & 0b100n) !== 0n) throw refersToFiles('external data file')
  if ((features & ~KNOWN_FEATURES) !== 0n) throw damaged()
  return checkExtensions(head, head.readUInt32BE(100))
}

function checkExtensions(head: Buffer, start: number): DiskImageFormat {
  for (let at = start; at + 8 <= head.length; ) {
    const type = head.readUInt32BE(at)
    if (type === 0) break
    if (type === EXTERNAL_DATA) throw refersToFiles('external data file')
    at += 8 + Math.ceil(head.readUInt32BE(at + 4) / 8) * 8
  }
  return 'qcow2'
}

async function checkVmdk(head: Buffer, file: FileHandle): Promise<DiskImageFormat> {
  requireLength(head, SECTOR)
  // Without a capacity it is a descriptor that lists files.
  if (head.readBigUInt64LE(12) === 0n) throw refersToFiles('VMDK descriptor')
  const offset = head.readBigUInt64LE(28) * BigInt(SECTOR)
  if (offset > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged()
  // QEMU looks for the parent directly after the header, also where the header names another place.
  for (const place of new Set([SECTOR, Number(offset)])) if (place > 0) await checkVmdkDescriptor(file, place)
  return 'vmdk'
}

async function checkVmdkDescriptor(file: FileHandle, offset: number): Promise<void> {
  const descriptor = (await readAt(file, offset, DESCRIPTOR_BYTES)).toString('latin1')
  const parent = /parentCID[ \t]*=[ \t]*([\da-f]+)/i.exec(descriptor)?.[1] ?? 'ffffffff'
  if (/parentFileNameHint/i.test(descriptor) || !/^f{8}$/i.test(parent)) throw refersToFiles('parent')
  const type = /createType[ \t]*=[ \t]*"?(\w+)/i.exec(descriptor)?.[1] ?? 'monolithicSparse'
  if (!/^(monolithicSparse|streamOptimized)$/i.test(type)) throw refersToFiles(`VMDK of type ${type}`)
}

function checkVpc(head: Buffer): DiskImageFormat {
  requireLength(head, SECTOR)
  const type = head.readUInt32BE(60)
  if (type === 4) throw refersToFiles('parent')
  if (type !== 3) throw damaged()
  return 'vpc'
}

function checkVdi(head: Buffer): DiskImageFormat {
  const type = head.readUInt32LE(0x4c)
  if (type === 3 || type === 4) throw refersToFiles('parent')
  if (type !== 1 && type !== 2) throw damaged()
  return 'vdi'
}

function requireLength(head: Buffer, length: number): void {
  if (head.length < length) throw damaged()
}

const damaged = () => new Refusal('unusable-image', 'The disk image is damaged or cut off.')

const notAccepted = (format: string) =>
  new Refusal('unusable-image', `A disk image of the format '${format}' is not accepted.`)

const refersToFiles = (what: string) =>
  new Refusal(
    'not-allowed',
    `The disk image refers to another file (${what}). Only images that are complete are accepted.`,
  )
