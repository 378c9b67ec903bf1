import { expect, test } from 'vitest'
import { readStep } from './step.ts'

test('a sign-in by password waits in the state of its place', () => {
  const state = {
    ticket: 't',
    methods: ['recovery', 'totp', 'carrier-pigeon'],
    enrol: false,
    username: 'ann',
  }
  expect(readStep(state, '')).toEqual({
    ticket: 't',
    methods: ['totp', 'recovery'],
    enrol: false,
    username: 'ann',
  })
})

test('a sign-in by a provider comes behind the #', () => {
  expect(readStep(null, '#ticket=abc&methods=passkey%2Crecovery&enrol=0')).toEqual({
    ticket: 'abc',
    methods: ['passkey', 'recovery'],
    enrol: false,
    username: '',
  })
  expect(readStep(null, '#ticket=abc&methods=&enrol=1')).toMatchObject({ methods: [], enrol: true })
})

test('without a ticket there is none', () => {
  expect(readStep(null, '')).toBeNull()
  expect(readStep({ username: 'ann' }, '#')).toBeNull()
})
