import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createHttpLab } from '../../tests/http-lab.ts'
import { VERSION } from '../version.ts'
import { emulationContract } from './index.ts'

const operations = Object.entries(emulationContract).map(([id, { method, path }]) => ({ id, method, path }))

describe('emulationContract', () => {
  it('has each method and path once', () => {
    const places = operations.map(({ method, path }) => `${method} ${path}`)
    expect(new Set(places).size).toBe(places.length)
    expect(operations.every(({ path }) => path.startsWith('/v1/'))).toBe(true)
  })

  it('has every operation of the interface', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toMatchSnapshot()
  })

  it('has only operations that are served with and without the version', () => {
    const served = createHttpLab().routes.map(({ operation }) => `${operation.method} ${operation.path}`)
    expect(served).toHaveLength(operations.length * 2)
    for (const { method, path } of operations) {
      expect(served).toContain(`${method} ${path}`)
      expect(served).toContain(`${method} ${path.slice('/v1'.length)}`)
    }
  })

  const addressed = operations.filter(({ path }) => path.includes('{project_id}'))

  it.each(addressed)('refuses invalid ids: $id', async ({ method, path }) => {
    const { call } = createHttpLab()
    const refused = await call(method, path.replaceAll(/\{[^}]+\}/g, 'x'))
    expect([refused.status, refused.headers.get('x-route')]).toEqual([400, path])
    expect(refused.body).toEqual({ message: 'Project ID x is not a valid UUID.', status: 400 })
  })

  it.each(
    addressed.filter(({ id }) => !/^(arrange|create|importAppliance|startCapture|runCommand|checkVersion)/.test(id)),
  )('returns 404 for an absent project: $id', async ({ method, path }) => {
    const { call } = createHttpLab()
    const uuid = '99999999-9999-4999-8999-999999999999'
    const filled = path.replaceAll(/\{(project|vm|device|node|drawing)_id\}/g, uuid).replaceAll(/\{[^}]+\}/g, '0')
    const missing = await call(method, filled)
    expect([missing.status, missing.body]).toEqual([404, { message: `Project ID ${uuid} doesn't exist.`, status: 404 }])
  })

  it('has the same version as the package', () => {
    expect(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version).toBe(VERSION)
  })
})
