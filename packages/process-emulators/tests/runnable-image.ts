import { chmod, writeFile } from 'node:fs/promises'

const BASE = 0x40_0000
const HEADERS = 64 + 56

/** `execve("/bin/sh", ["sh", "stand-in.sh", ...its own arguments], its own environment)`, else exit code 127. */
const code = [
  '48 8b 04 24', // mov rax, [rsp]
  '48 8d 54 c4 10', // lea rdx, [rsp + rax * 8 + 16]
  '48 8d 3d 2d 00 00 00', // lea rdi, [sh]
  '48 8d 0d 2e 00 00 00', // lea rcx, [name]
  '48 89 0c 24', // mov [rsp], rcx
  '48 8d 0d 26 00 00 00', // lea rcx, [script]
  '48 89 4c 24 08', // mov [rsp + 8], rcx
  '48 89 e6', // mov rsi, rsp
  'b8 3b 00 00 00', // mov eax, 59
  '0f 05', // syscall
  'bf 7f 00 00 00', // mov edi, 127
  'b8 3c 00 00 00', // mov eax, 60
  '0f 05', // syscall
]
  .join(' ')
  .split(' ')
  .map((byte) => Number.parseInt(byte, 16))

/**
 * Writes a program for x86-64 Linux with the header of a router's image, which runs the script `stand-in.sh` of its
 * working directory. Real images are proprietary.
 */
export async function writeRunnableImage(path: string): Promise<void> {
  const text = Buffer.concat([Buffer.from(code), Buffer.from('/bin/sh\0sh\0stand-in.sh\0')])
  const image = Buffer.alloc(HEADERS)
  image.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  image.writeUInt16LE(2, 16)
  image.writeUInt16LE(62, 18)
  image.writeUInt32LE(1, 20)
  image.writeBigUInt64LE(BigInt(BASE + HEADERS), 24)
  image.writeBigUInt64LE(64n, 32)
  image.writeUInt16LE(64, 52)
  image.writeUInt16LE(56, 54)
  image.writeUInt16LE(1, 56)
  image.writeUInt32LE(1, 64)
  image.writeUInt32LE(5, 68)
  image.writeBigUInt64LE(BigInt(BASE), 80)
  image.writeBigUInt64LE(BigInt(BASE), 88)
  image.writeBigUInt64LE(BigInt(HEADERS + text.length), 96)
  image.writeBigUInt64LE(BigInt(HEADERS + text.length), 104)
  image.writeBigUInt64LE(0x1000n, 112)
  await writeFile(path, Buffer.concat([image, text]))
  await chmod(path, 0o755)
}
