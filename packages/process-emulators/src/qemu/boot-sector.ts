/** Printed on the first serial port when the computation has ended. */
export const BOOT_SIGN = 'accelerated'

const SECTOR_BYTES = 512

/**
 * Builds a boot sector that starts as an operating system does: it leaves real mode, enables 64-bit paging where the
 * processor supports it, and runs a loop 50 million times. A real processor needs milliseconds for that. Where only the
 * first instructions work, or each one is interpreted, {@link BOOT_SIGN} is not printed in time.
 */
export function bootSector(): Uint8Array {
  const sector = new Uint8Array(SECTOR_BYTES)
  let at = 0
  for (const [code] of listing) {
    for (const byte of code.split(' ')) sector[at++] = Number.parseInt(byte, 16)
  }
  sector.set([0x55, 0xaa], SECTOR_BYTES - 2)
  return sector
}

/** Machine code, loaded at 7c00, with its assembler. */
const listing: readonly (readonly [code: string, meaning: string])[] = [
  // Real mode: segments and stack.
  ['fa', 'cli'],
  ['31 c0', 'xor ax, ax'],
  ['8e d8', 'mov ds, ax'],
  ['8e c0', 'mov es, ax'],
  ['8e d0', 'mov ss, ax'],
  ['bc 00 7c', 'mov sp, 7c00'],
  ['fc', 'cld'],
  // Page tables at 1000, 2000 and 3000: an identity map of the first gigabyte in pages of 2 MiB.
  ['bf 00 10', 'mov di, 1000'],
  ['66 31 c0', 'xor eax, eax'],
  ['b9 00 0c', 'mov cx, c00'],
  ['66 f3 ab', 'rep stosd'],
  ['66 c7 06 00 10 03 20 00 00', 'mov dword [1000], 2003'],
  ['66 c7 06 00 20 03 30 00 00', 'mov dword [2000], 3003'],
  ['bf 00 30', 'mov di, 3000'],
  ['66 b8 83 00 00 00', 'mov eax, 83'],
  ['66 89 05', '7c34: mov [di], eax'],
  ['66 05 00 00 20 00', 'add eax, 200000'],
  ['83 c7 08', 'add di, 8'],
  ['81 ff 00 40', 'cmp di, 4000'],
  ['75 ee', 'jne 7c34'],
  // Protected mode.
  ['0f 01 16 f0 7c', 'lgdt [7cf0]'],
  ['0f 20 c0', 'mov eax, cr0'],
  ['0c 01', 'or al, 1'],
  ['0f 22 c0', 'mov cr0, eax'],
  ['ea 58 7c 08 00', 'jmp 8:7c58'],
  ['66 b8 10 00', '7c58: mov ax, 10'],
  ['8e d8', 'mov ds, ax'],
  ['8e c0', 'mov es, ax'],
  ['8e d0', 'mov ss, ax'],
  // Long mode, where the processor has it.
  ['b8 01 00 00 80', 'mov eax, 80000001'],
  ['0f a2', 'cpuid'],
  ['f7 c2 00 00 00 20', 'test edx, 20000000'],
  ['74 2e', 'jz 7c9f'],
  ['0f 20 e0', 'mov eax, cr4'],
  ['0c 20', 'or al, 20'],
  ['0f 22 e0', 'mov cr4, eax'],
  ['b8 00 10 00 00', 'mov eax, 1000'],
  ['0f 22 d8', 'mov cr3, eax'],
  ['b9 80 00 00 c0', 'mov ecx, c0000080'],
  ['0f 32', 'rdmsr'],
  ['80 cc 01', 'or ah, 1'],
  ['0f 30', 'wrmsr'],
  ['0f 20 c0', 'mov eax, cr0'],
  ['0d 00 00 00 80', 'or eax, 80000000'],
  ['0f 22 c0', 'mov cr0, eax'],
  ['ea 9f 7c 00 00 18 00', 'jmp 18:7c9f'],
  // The loop and the output: the same code in 32 and 64 bits.
  ['b9 80 f0 fa 02', '7c9f: mov ecx, 50000000 (decimal)'],
  ['83 e9 01', '7ca4: sub ecx, 1'],
  ['75 fb', 'jne 7ca4'],
  ['be c0 7c 00 00', 'mov esi, 7cc0'],
  ['66 ba f8 03', 'mov dx, 3f8'],
  ['ac', '7cb2: lodsb'],
  ['84 c0', 'test al, al'],
  ['74 03', 'jz 7cba'],
  ['ee', 'out dx, al'],
  ['eb f8', 'jmp 7cb2'],
  ['f4', '7cba: hlt'],
  ['eb fd', 'jmp 7cba'],
  ['90 90 90', 'nop'],
  ['61 63 63 65 6c 65 72 61 74 65 64 00 90 90 90 90', '7cc0: the sign'],
  // Segments: null, 32-bit code, data, 64-bit code.
  ['00 00 00 00 00 00 00 00', '7cd0'],
  ['ff ff 00 00 00 9a cf 00', '8'],
  ['ff ff 00 00 00 92 cf 00', '10'],
  ['ff ff 00 00 00 9a af 00', '18'],
  ['1f 00 d0 7c 00 00', '7cf0: size and place of the segments'],
]
