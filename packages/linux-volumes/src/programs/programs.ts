import type { Program } from './run-program.ts'

export const btrfs: Program = { name: 'btrfs', package: 'btrfs-progs' }
export const chattr: Program = { name: 'chattr', package: 'e2fsprogs' }
export const filefrag: Program = { name: 'filefrag', package: 'e2fsprogs' }
export const find: Program = { name: 'find', package: 'findutils' }
export const getent: Program = { name: 'getent', package: 'libc-bin' }
export const lsattr: Program = { name: 'lsattr', package: 'e2fsprogs' }
export const mv: Program = { name: 'mv', package: 'coreutils' }
export const perl: Program = { name: 'perl', package: 'perl-base' }
export const repquota: Program = { name: 'repquota', package: 'quota' }
export const rm: Program = { name: 'rm', package: 'coreutils' }
export const setquota: Program = { name: 'setquota', package: 'quota' }
export const sync: Program = { name: 'sync', package: 'coreutils' }
export const xargs: Program = { name: 'xargs', package: 'findutils' }
export const xfsIo: Program = { name: 'xfs_io', package: 'xfsprogs' }
export const xfsQuota: Program = { name: 'xfs_quota', package: 'xfsprogs' }
