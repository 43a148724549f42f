const SECTOR_BYTES = 512
const CD_SECTOR_BYTES = 2048
/**
 * Prints the text at 7c20 on the first serial port, then halts. Without interrupts, as SeaBIOS prints the end of its own
 * text there from one.
 */
const PRINT = 'fa 31 c0 8e d8 be 20 7c ba f8 03 ac 84 c0 74 03 ee eb f8 f4 eb fd'

/** Builds the boot sector of a disk, whose only work is to print the text on the first serial port. */
export function printingDisk(text: string): Uint8Array {
  const sector = Buffer.alloc(SECTOR_BYTES)
  sector.set(PRINT.split(' ').map((byte) => Number.parseInt(byte, 16)))
  sector.write(`${text}\n\0`, 0x20, 'latin1')
  sector.set([0x55, 0xaa], SECTOR_BYTES - 2)
  return Buffer.concat([sector, Buffer.alloc(1024 * 1024 - SECTOR_BYTES)])
}

/** Builds a CD-ROM that starts as {@link printingDisk} does, by the El Torito specification without emulation. */
export function printingCdrom(text: string): Uint8Array {
  const image = Buffer.alloc(24 * CD_SECTOR_BYTES)
  const at = (sector: number) => image.subarray(sector * CD_SECTOR_BYTES, (sector + 1) * CD_SECTOR_BYTES)
  at(16).write('\x01CD001\x01', 'latin1')
  at(17).write('\0CD001\x01EL TORITO SPECIFICATION', 'latin1')
  at(17).writeUInt32LE(19, 0x47)
  at(18).write('\xffCD001\x01', 'latin1')
  const catalogue = at(19)
  catalogue.writeUInt8(1, 0)
  // The words of the first entry sum to 0.
  catalogue.writeUInt16LE(0x55aa, 28)
  catalogue.writeUInt16LE(0xaa55, 30)
  catalogue.writeUInt8(0x88, 32)
  catalogue.writeUInt16LE(1, 38)
  catalogue.writeUInt32LE(20, 40)
  at(20).set(printingDisk(text).subarray(0, SECTOR_BYTES))
  return image
}
