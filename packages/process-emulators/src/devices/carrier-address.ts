import { randomInt } from 'node:crypto'

/**
 * Returns a random loopback address. It protects the sockets of carriers, which take frames of every sender, against
 * those of web pages.
 */
export const carrierAddress = (): string => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
