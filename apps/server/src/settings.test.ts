import { describe, expect, it } from 'vitest'
import { readSettings, StartError } from './settings.ts'

describe('settings', () => {
  it('have defaults for one machine', () => {
    const settings = readSettings({ WEFT_DATA_DIR: '/data' })
    expect(settings).toMatchObject({
      port: 4600,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:4600',
      keyFile: '/data/key',
      databaseUrl: undefined,
      localAgent: true,
      slots: 2,
    })
    expect([...settings.roles]).toEqual(['web', 'hub', 'scheduler', 'worker'])
  })

  it('take an empty variable for an unset one', () => {
    expect(readSettings({ WEFT_PORT: '', DATABASE_URL: '' }).port).toBe(4600)
  })

  it('give an address that a person can open', () => {
    expect(readSettings({ WEFT_HOST: '0.0.0.0' }).publicUrl).toBe('http://localhost:4600')
    expect(readSettings({ WEFT_PUBLIC_URL: 'https://weft.example.org/' }).publicUrl).toBe(
      'https://weft.example.org',
    )
  })

  it('name every wrong one in one line', () => {
    const read = () => readSettings({ WEFT_PORT: '70000', WEFT_SLOTS: '0', WEFT_PUBLIC_URL: 'ftp://x' })
    expect(read).toThrow(StartError)
    expect(read).toThrow(/^Wrong setting: WEFT_PORT: .*; WEFT_PUBLIC_URL: .*; WEFT_SLOTS: [^\n]*$/)
  })

  it.each([' ', '0x10', '1e3', '4600.5', '-1', 'port'])('take no %j for a port', (value) => {
    expect(() => readSettings({ WEFT_PORT: value })).toThrow(/^Wrong setting: WEFT_PORT: /)
  })

  it('give the server and the practice site a port each', () => {
    expect(() => readSettings({ WEFT_PORT: '4601' })).toThrow(/^Wrong setting: WEFT_PRACTICE_PORT: /)
    expect(readSettings({ WEFT_PORT: '4601', WEFT_PRACTICE_PORT: '0' }).port).toBe(4601)
  })

  it('name one that is not known, and the one that was meant', () => {
    expect(() => readSettings({ WEFT_PROT: '1', WEFT_COLOUR: 'red' })).toThrow(
      'Unknown setting: WEFT_PROT (did you mean WEFT_PORT?); WEFT_COLOUR',
    )
    expect(readSettings({ WEFT_JOIN_CODE: 'x', OTHER: 'y' }).port).toBe(4600)
  })
})
