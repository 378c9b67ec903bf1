import { expect, test } from 'vitest'
import { accounts } from '@weft/contract/accounts/api'
import { proxies } from '@weft/contract/proxies/api'
import { importFields, readMapping, rowReader, suggestMapping } from './fields.ts'

const accountFields = importFields(accounts.create.input, ['password', 'totpSeed', 'recoveryCodes'])
const proxyFields = importFields(proxies.create.input, ['password'])

test('the fields come from the create call', () => {
  const byName = new Map(accountFields.map((field) => [field.name, field]))
  expect(byName.get('type')).toMatchObject({ name: 'type', required: true, kind: 'text', secret: false })
  expect(byName.get('type')?.options).toContain('youtube')
  expect(byName.get('username')?.required).toBe(true)
  expect(byName.get('limits.perDay')).toEqual({
    name: 'limits.perDay',
    required: false,
    kind: 'number',
    secret: false,
    options: [],
  })
  expect(byName.get('ownership.owner')?.required).toBe(false)
  expect(byName.get('recoveryCodes')).toEqual({
    name: 'recoveryCodes',
    required: false,
    kind: 'list',
    secret: true,
    options: [],
  })
  expect(proxyFields.find((field) => field.name === 'port')?.kind).toBe('number')
  expect(proxyFields.find((field) => field.name === 'disabled')?.kind).toBe('boolean')
})

test('headers find their fields whatever their case, spaces and habits', () => {
  expect(suggestMapping(accountFields, ['E-Mail', 'LOGIN', 'Pass', 'Limits Per Day', 'colour'])).toEqual({
    username: 'LOGIN',
    email: 'E-Mail',
    password: 'Pass',
    'limits.perDay': 'Limits Per Day',
  })
  expect(suggestMapping(proxyFields, ['ip', 'PORT'])).toEqual({ host: 'ip', port: 'PORT' })
})

test('a mapping of one’s own may only name fields that exist', () => {
  expect(readMapping('{"host":"A","port":""}', proxyFields)).toEqual({ host: 'A' })
  expect(() => readMapping('{"nothing":"A"}', proxyFields)).toThrow('nothing')
  expect(() => readMapping('not json', proxyFields)).toThrow()
  expect(() => readMapping('{"host":7}', proxyFields)).toThrow()
})

test('a row of texts becomes the input of a create call', () => {
  const columns = ['type', 'username', 'tags', 'limits.perDay', 'limits.quietHours', 'password', 'notes']
  const mapping = Object.fromEntries(columns.map((name) => [name, name]))
  const toInput = rowReader(accountFields, mapping, columns, 'csv', 'UTC')
  expect(toInput(['website', 'ann', 'a; b', '5', '22:00-06:00', "'=x", "'=1+1"])).toEqual({
    type: 'website',
    username: 'ann',
    tags: ['a', 'b'],
    limits: { perDay: 5, quietHours: '22:00-06:00' },
    password: "'=x",
    notes: '=1+1',
  })
  expect(toInput(['website', 'ann', ' ', '', '', '', ''])).toEqual({ type: 'website', username: 'ann' })
})

test('a day means its end in the zone; a moment and what is neither stay as they are', () => {
  const [field] = proxyFields.filter(({ name }) => name === 'expiresAt')
  expect(field).toMatchObject({ kind: 'date', required: false })
  const toInput = rowReader(proxyFields, { expiresAt: 'until' }, ['until'], 'csv', 'Africa/Cairo')
  expect(toInput([' 2030-12-31 '])).toEqual({ expiresAt: '2030-12-31T21:59:59.000Z' })
  expect(toInput(['2030-12-31T18:00:00+02:00'])).toEqual({ expiresAt: '2030-12-31T18:00:00+02:00' })
  expect(toInput(['soon'])).toEqual({ expiresAt: 'soon' })
})
