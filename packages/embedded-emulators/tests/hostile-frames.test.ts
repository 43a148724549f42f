import { expect, it } from 'vitest'
import { createSwitchEngine } from '../src/ethernet-switch/switch-engine.ts'
import { checksumOf } from '../src/frames/checksum.ts'
import { createPcLab, type PcLab } from './pc-lab.ts'
import { seededRandom } from './seeded-random.ts'

const frames = 30_000

/** Records the frames of two machines in all protocols that they support. */
const recordTraffic = async (lab: PcLab): Promise<readonly Uint8Array[]> => {
  const [one, two] = [await lab.pc('one'), await lab.pc('two')]
  for (const [pc, last] of [
    [one, 1],
    [two, 2],
  ] as const) {
    await pc.run(`ip 10.0.0.${last}/24 10.0.0.254`, 5000)
    await pc.run(`ip 2001:db8::${last}/64`, 5000)
    await pc.run('ip dns 10.0.0.2', 100)
  }
  await one.run('ping 10.0.0.2 -c 2 -l 3000', 5000)
  await one.run('ping 10.0.0.2 -2 -c 2', 5000)
  await one.run('ping 2001:db8::2 -c 2', 5000)
  await one.run('trace 10.0.0.2', 20_000)
  await one.run('ping some.name -c 1', 20_000)
  await two.run('ip auto', 20_000)
  await two.run('ip dhcp', 60_000)
  return lab.wire.frames
}

const at16 = (bytes: Buffer, at: number) => (at + 2 <= bytes.length ? bytes.readUInt16BE(at) : 0)

/** Corrects the checksums of a changed frame, so that it is not dropped for them. */
const correctChecksums = (frame: Buffer): void => {
  const type = at16(frame, 12)
  if (type === 0x0800 && frame.length >= 34) {
    const header = ((frame[14] ?? 0) & 15) * 4
    const end = Math.min(frame.length, 14 + at16(frame, 16))
    if (header < 20 || 14 + header > end) return
    frame.writeUInt16BE(0, 24)
    frame.writeUInt16BE(checksumOf(frame.subarray(14, 14 + header)), 24)
    const at = 14 + header
    if (frame[23] === 17 && at + 8 <= end) frame.writeUInt16BE(0, at + 6)
    if (frame[23] === 1 && at + 4 <= end) {
      frame.writeUInt16BE(0, at + 2)
      frame.writeUInt16BE(checksumOf(frame.subarray(at, end)), at + 2)
    }
  } else if (type === 0x86dd && frame.length >= 54) {
    const [at, end] = [54, Math.min(frame.length, 54 + at16(frame, 18))]
    const field = frame[20] === 58 ? at + 2 : frame[20] === 17 ? at + 6 : 0
    if (field === 0 || field + 2 > end) return
    frame.writeUInt16BE(0, field)
    const pseudo = Buffer.alloc(40)
    frame.copy(pseudo, 0, 22, 54)
    pseudo.writeUInt32BE(end - at, 32)
    pseudo[39] = frame[20] ?? 0
    frame.writeUInt16BE(checksumOf(Buffer.concat([pseudo, frame.subarray(at, end)])), field)
  }
}

const edgeBytes = [0, 1, 2, 3, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xfe, 0xff]

/** Changes a few bytes of a frame, truncates it, extends it, or joins it with another. */
const mutate = (all: readonly Uint8Array[], random: () => number): Buffer => {
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('There is nothing to choose from')
    return item
  }
  let frame = Buffer.from(pick(all))
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes -= 1) {
    const at = 12 + Math.floor(random() * Math.max(1, frame.length - 12))
    const kind = random()
    if (kind < 0.6 && at < frame.length) frame[at] = random() < 0.5 ? pick(edgeBytes) : random() * 256
    else if (kind < 0.7) frame = frame.subarray(0, at)
    else if (kind < 0.8) frame = Buffer.concat([frame, Buffer.alloc(Math.floor(random() * 2000), random() * 256)])
    else if (kind < 0.9) frame = Buffer.concat([frame.subarray(0, at), Buffer.from(pick(all)).subarray(at)])
    else if (at + 2 < frame.length) frame.writeUInt16BE(pick([0, 1, 7, 8, 20, 0xffff, frame.length]), at)
  }
  frame = Buffer.from(frame)
  if (random() < 0.8) correctChecksums(frame)
  return frame
}

it('a virtual PC never throws for a damaged frame, and still answers', async () => {
  const random = seededRandom(20)
  const recorded = await recordTraffic(createPcLab())
  expect(recorded.length).toBeGreaterThan(40)
  const lab = createPcLab()
  const pc = await lab.pc('one')
  await pc.run('ip 10.0.0.1/24 10.0.0.254', 5000)
  await pc.run('ip 2001:db8::1/64', 5000)
  await pc.run('ip dns 10.0.0.2', 100)
  const timers = lab.clock.timers
  for (let sent = 0; sent < frames; sent += 1) {
    const frame = mutate(recorded, random)
    expect(() => pc.pc.receive(frame), frame.toString('hex')).not.toThrow()
    if (sent % 100 !== 0) continue
    // A command always runs, so that answers are expected.
    if (sent % 1000 === 0)
      pc.type(`\x03${['ping 10.0.0.9', 'ip dhcp', 'ping a.b', 'trace 10.0.0.9', 'ip auto'][(sent / 1000) % 5]}\r`)
    await lab.clock.pass(10)
  }
  pc.type('\x03')
  await lab.clock.pass(120_000)
  expect(lab.clock.timers).toBeLessThanOrEqual(timers + 2)
  expect(await pc.run('echo still here')).toContain('still here')
}, 120_000)

it('a switch never throws for a damaged frame, and its table stays bounded', async () => {
  const random = seededRandom(21)
  const recorded = await recordTraffic(createPcLab())
  const engine = createSwitchEngine({ macTableLimit: 500 })
  let sent = 0
  for (const [index, type] of (['access', 'dot1q', 'qinq', 'dot1q'] as const).entries()) {
    engine.addPort(index, { type, vlan: index + 1 }, () => {
      sent += 1
    })
  }
  for (let count = 0; count < frames; count += 1) {
    const frame = mutate(recorded, random)
    // Random addresses and VLANs.
    for (let at = 6; at < Math.min(12, frame.length); at += 1) frame[at] = random() * 256
    if (random() < 0.5 && frame.length > 15) frame.writeUInt32BE(0x81000000 + Math.floor(random() * 0x10000), 12)
    expect(() => engine.receive(Math.floor(random() * 5), frame), frame.toString('hex')).not.toThrow()
  }
  expect(sent).toBeGreaterThan(frames / 2)
  expect(engine.macTable.entries().length).toBeLessThanOrEqual(500)
})
