/** Whether a file in the directory of an instance is a log of its emulator, such as `qemu.log` and `qemu.log.1`. */
export const isLogName = (name: string): boolean => /\.log(\.\d+)?$/.test(name)
